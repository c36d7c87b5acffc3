// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// The resources of the API server: the collections of the objects of one kind.
namespace kube::inline api {

enum class Scope { namespaced, cluster };

// A resource. It owns its names, because it may come from a CustomResourceDefinition found at run
// time (client/discovery.h).
struct Resource {
  std::string api;        // "/api/v1", "/apis/batch/v1"
  std::string plural;     // "pods"
  std::string kind = {};  // "Pod"; empty for a resource that is only read
  Scope scope = Scope::namespaced;

  // "v1", "batch/v1": the apiVersion of the objects.
  std::string api_version() const;
  // "batch"; empty for the core group.
  std::string group() const;

  friend auto operator<=>(const Resource&, const Resource&) = default;
};

// Returns the resource of a kind, from the apiVersion of its objects ("batch/v1"), kind and plural.
Resource resource_named(std::string api_version,
                        std::string kind,
                        std::string plural,
                        Scope scope = Scope::namespaced);

// Whether this can be the apiVersion of an object ("v1", "batch/v1"), and so a part of a path. Ask
// before using text that others wrote, such as an owner reference.
bool is_api_version(std::string_view text);

// core/v1
inline const Resource kPods{"/api/v1", "pods", "Pod"};
inline const Resource kNodes{"/api/v1", "nodes", "Node", Scope::cluster};
inline const Resource kNamespaces{"/api/v1", "namespaces", "Namespace", Scope::cluster};
inline const Resource kEvents{"/api/v1", "events", "Event"};
inline const Resource kConfigMaps{"/api/v1", "configmaps", "ConfigMap"};
inline const Resource kSecrets{"/api/v1", "secrets", "Secret"};
inline const Resource kServices{"/api/v1", "services", "Service"};
inline const Resource kServiceAccounts{"/api/v1", "serviceaccounts", "ServiceAccount"};
inline const Resource kClaims{"/api/v1", "persistentvolumeclaims", "PersistentVolumeClaim"};
inline const Resource kVolumes{"/api/v1", "persistentvolumes", "PersistentVolume", Scope::cluster};

inline const Resource kStatefulSets{"/apis/apps/v1", "statefulsets", "StatefulSet"};
inline const Resource kDeployments{"/apis/apps/v1", "deployments", "Deployment"};
inline const Resource kDaemonSets{"/apis/apps/v1", "daemonsets", "DaemonSet"};
inline const Resource kJobs{"/apis/batch/v1", "jobs", "Job"};
inline const Resource kCronJobs{"/apis/batch/v1", "cronjobs", "CronJob"};
inline const Resource kPodDisruptionBudgets{
    "/apis/policy/v1", "poddisruptionbudgets", "PodDisruptionBudget"};
inline const Resource kNetworkPolicies{
    "/apis/networking.k8s.io/v1", "networkpolicies", "NetworkPolicy"};
inline const Resource kRoles{"/apis/rbac.authorization.k8s.io/v1", "roles", "Role"};
inline const Resource kRoleBindings{
    "/apis/rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding"};
inline const Resource kLeases{"/apis/coordination.k8s.io/v1", "leases", "Lease"};
inline const Resource kStorageClasses{
    "/apis/storage.k8s.io/v1", "storageclasses", "StorageClass", Scope::cluster};
inline const Resource kResourceSlices{
    "/apis/resource.k8s.io/v1", "resourceslices", "ResourceSlice", Scope::cluster};
inline const Resource kDeviceClasses{
    "/apis/resource.k8s.io/v1", "deviceclasses", "DeviceClass", Scope::cluster};
inline const Resource kSelfSubjectReviews{
    "/apis/authentication.k8s.io/v1", "selfsubjectreviews", "SelfSubjectReview", Scope::cluster};
inline const Resource kCustomResourceDefinitions{"/apis/apiextensions.k8s.io/v1",
                                                 "customresourcedefinitions",
                                                 "CustomResourceDefinition",
                                                 Scope::cluster};
inline const Resource kValidatingWebhookConfigurations{"/apis/admissionregistration.k8s.io/v1",
                                                       "validatingwebhookconfigurations",
                                                       "ValidatingWebhookConfiguration",
                                                       Scope::cluster};
inline const Resource kMutatingWebhookConfigurations{"/apis/admissionregistration.k8s.io/v1",
                                                     "mutatingwebhookconfigurations",
                                                     "MutatingWebhookConfiguration",
                                                     Scope::cluster};

}  // namespace kube::inline api
