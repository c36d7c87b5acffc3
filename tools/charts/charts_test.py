# SPDX-License-Identifier: Apache-2.0
"""The charts of deploy/helm: copies of other files, and what helm makes of them."""

import importlib.machinery
import importlib.util
import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import helm
import values_schema

HERE = Path(__file__).resolve().parent
CHARTS = ("soperator-crds", "soperator", "slurm-cluster")
needs_helm = unittest.skipUnless(helm.program(), "helm is not in the cache; fetch it with: tools/devcluster/devcluster fetch --real-nodes")


def _program():
    loader = importlib.machinery.SourceFileLoader("charts_generate", str(HERE / "generate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("charts_generate", loader))
    loader.exec_module(module)
    return module


GENERATE = _program()


class Generated(unittest.TestCase):
    def test_the_copies_in_the_charts_are_equal_to_their_sources(self):
        changed, extra = GENERATE.differences(GENERATE.wanted())
        names = [str(path.relative_to(GENERATE.TOP)) for path in [*changed, *extra]]
        self.assertEqual(names, [], "run tools/charts/generate and commit the result")

    def test_rules_are_read_from_a_file_with_several_objects(self):
        text = ("kind: ServiceAccount\n---\nkind: ClusterRole\nmetadata:\n  name: a\nrules:\n- apiGroups: [x]  # why\n  verbs: [get]\n"
                "---\nkind: Role\nrules:\n- apiGroups: [y]\n---\nkind: RoleBinding\n")
        self.assertEqual(GENERATE.roles(text), {"ClusterRole": "- apiGroups: [x]  # why\n  verbs: [get]\n", "Role": "- apiGroups: [y]\n"})

    def test_the_path_of_the_seed_leads_to_the_charts(self):
        self.assertEqual(os.readlink(GENERATE.TOP / "helm-charts"), "deploy/helm")

    def test_the_schema_of_values_and_the_templates_know_the_same_names_without_effect(self):
        helpers = (GENERATE.CHARTS / "slurm-cluster/templates/_helpers.tpl").read_text()
        for define, names in (("withoutEffect", values_schema.WITHOUT_EFFECT),
                              ("withoutEffectInComponents", values_schema.WITHOUT_EFFECT_IN_COMPONENTS)):
            found = re.search(rf'define "slurm-cluster.{define}" -}}}}\n(.*)\n', helpers)[1]
            self.assertEqual(found.split(), list(names))

    def test_a_schema_keeps_what_kubernetes_keeps(self):
        found = values_schema.strict({"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {
            "a": {"type": "object", "default": {}, "properties": {"b": {"type": "string", "x-kubernetes-validations": [{}]}}},
            "q": {"type": "object", "additionalProperties": {"anyOf": [], "x-kubernetes-int-or-string": True}}}})
        self.assertNotIn("additionalProperties", found)
        self.assertEqual(found["properties"]["a"], {"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": False})
        self.assertEqual(found["properties"]["q"]["additionalProperties"]["type"], ["integer", "string"])


@needs_helm
class AllCharts(unittest.TestCase):
    def test_helm_lint_accepts_them(self):
        for chart in CHARTS:
            with self.subTest(chart):
                helm.lint(chart)

    def test_helm_follows_the_link_of_the_seed(self):
        [cluster] = helm.template(helm.TOP / "helm-charts/slurm-cluster")
        self.assertEqual(cluster["kind"], "SlurmCluster")

    def test_misspelt_values_are_refused(self):
        for chart, value in (("soperator-crds", "kep=true"), ("soperator", "controllerManager.replica=2"),
                             ("slurm-cluster", "slurmNodes.worker.sise=4"), ("slurm-cluster", "slurmNodes.wroker.size=4"),
                             ("slurm-cluster", "customSlurmConf=x"), ("slurm-cluster", "nodesets[0].name=a,nodesets[0].replica=2"),
                             ("slurm-cluster", "slurmNodes.worker.size=many")):
            with self.subTest(value), self.assertRaises(helm.HelmFailed):
                helm.template(chart, "--set", value)


@needs_helm
class Definitions(unittest.TestCase):
    def test_they_are_those_of_kubectl_apply_with_labels_and_annotations(self):
        sources = [helm.read(path.read_text())[0] for path in sorted(GENERATE.CRDS.glob("*.yaml"))]
        rendered = helm.template("soperator-crds", "--set", "annotations.team=hpc")
        self.assertEqual(len(rendered), 2)
        for source, found in zip(sources, sorted(rendered, key=lambda one: one["metadata"]["name"])):
            added = found["metadata"]
            self.assertEqual(added.pop("annotations"), {"helm.sh/resource-policy": "keep", "team": "hpc"})
            self.assertEqual(added.pop("labels")["app.kubernetes.io/managed-by"], "Helm")
            self.assertEqual(found, source)

    def test_they_are_deleted_with_the_release_only_on_request(self):
        for found in helm.template("soperator-crds", "--set", "keep=false"):
            self.assertNotIn("annotations", found["metadata"])


@needs_helm
class Operator(unittest.TestCase):
    def objects(self, *arguments):
        found = helm.template("soperator", *arguments, release="soperator", namespace="soperator")
        return {(one["kind"], one["metadata"]["name"]): one for one in found}

    def manager(self, *arguments):
        pod = self.objects(*arguments)["Deployment", "soperator-manager"]["spec"]["template"]
        [container] = pod["spec"]["containers"]
        return pod, container

    def test_the_deployment_has_the_names_of_the_reference(self):
        pod, container = self.manager()
        self.assertEqual(container["name"], "manager")
        self.assertEqual(pod["metadata"]["labels"]["app.kubernetes.io/name"], "soperator")
        self.assertEqual(container["livenessProbe"]["httpGet"], {"path": "/healthz", "port": "probes"})
        self.assertEqual(container["readinessProbe"]["httpGet"], {"path": "/readyz", "port": "probes"})
        self.assertEqual({one["name"]: one["containerPort"] for one in container["ports"]}, {"probes": 8081, "webhook": 9443, "metrics": 8080})

    def test_the_pod_is_valid_under_pod_security_restricted(self):
        pod, container = self.manager()
        self.assertEqual(pod["spec"]["securityContext"], {"runAsNonRoot": True, "runAsUser": 65532, "runAsGroup": 65532,
                                                          "seccompProfile": {"type": "RuntimeDefault"}})
        self.assertEqual(container["securityContext"], {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                                        "capabilities": {"drop": ["ALL"]}})

    def test_values_become_arguments_and_environment(self):
        _, container = self.manager("--set", "clusterImages.slurm=r/s:1,clusterImages.database=r/d:2,clusterImages.pullPolicy=Never",
                                    "--set", "kubernetesClusterDomain=k.example", "--set", "controllerManager.manager.controllersEnabled.nodeset=false",
                                    "--set", "controllerManager.manager.env.slurmOperatorWatchNamespaces=team")
        for argument in ("--leader-elect", "--slurm-image=r/s:1", "--database-image=r/d:2", "--image-pull-policy=Never",
                         "--cluster-domain=k.example", "--controllers=*,-nodeset", "--operator-namespace=$(POD_NAMESPACE)"):
            self.assertIn(argument, container["args"])
        self.assertIn({"name": "SLURM_OPERATOR_WATCH_NAMESPACES", "value": "team"}, container["env"])

    def test_without_metrics_there_is_no_port_and_no_service(self):
        arguments = ("--set", "controllerManager.manager.args={--metrics-bind-address=0,--health-probe-bind-address=:9}")
        _, container = self.manager(*arguments)
        self.assertEqual([one["name"] for one in container["ports"]], ["probes", "webhook"])
        self.assertEqual(container["ports"][0]["containerPort"], 9)
        self.assertEqual([name for kind, name in self.objects(*arguments) if kind == "Service"], ["soperator-webhook"])

    def test_the_webhook_checks_both_kinds_in_the_watched_namespaces(self):
        configuration = self.objects("--set", "controllerManager.manager.env.slurmOperatorWatchNamespaces=a\\,b")[
            "ValidatingWebhookConfiguration", "soperator-validating-webhook"]
        paths = [one["clientConfig"]["service"]["path"] for one in configuration["webhooks"]]
        self.assertEqual(paths, ["/validate-slurm-nebius-ai-v1-slurmcluster", "/validate-slurm-nebius-ai-v1alpha1-nodeset"])
        for one in configuration["webhooks"]:
            self.assertEqual(one["clientConfig"]["service"]["name"], "soperator-webhook")
            self.assertNotIn("caBundle", one["clientConfig"], "the operator writes it")
            self.assertEqual(one["namespaceSelector"]["matchExpressions"][0]["values"], ["a", "b"])
        _, container = self.manager()
        for argument in ("--webhook-bind-address=:9443", "--webhook-service=soperator-webhook",
                         "--webhook-configuration=soperator-validating-webhook", "--webhook-secret=soperator-webhook-certificates"):
            self.assertIn(argument, container["args"])

    def test_the_webhook_can_be_switched_off(self):
        arguments = ("--set", "controllerManager.manager.env.enableWebhooks=false")
        self.assertNotIn("ValidatingWebhookConfiguration", {kind for kind, _ in self.objects(*arguments)})
        _, container = self.manager(*arguments)
        self.assertIn({"name": "ENABLE_WEBHOOKS", "value": "false"}, container["env"])

    def test_only_the_role_of_its_own_namespace_allows_leases(self):
        objects = self.objects()
        cluster_wide = objects["ClusterRole", "soperator-manager"]["rules"]
        self.assertFalse([rule for rule in cluster_wide if "coordination.k8s.io" in rule["apiGroups"]])
        self.assertTrue([rule for rule in objects["Role", "soperator-manager"]["rules"] if "leases" in rule["resources"]])
        self.assertEqual(objects["ClusterRoleBinding", "soperator-manager"]["subjects"],
                         [{"kind": "ServiceAccount", "name": "soperator-manager", "namespace": "soperator"}])

    def test_an_operator_of_some_namespaces_has_permissions_only_there(self):
        objects = helm.template("soperator", "--set", "controllerManager.manager.env.slurmOperatorWatchNamespaces=a\\,b", namespace="soperator")
        bindings = sorted((one["metadata"].get("namespace", ""), one["roleRef"]["kind"], one["roleRef"]["name"])
                          for one in objects if one["kind"].endswith("Binding"))
        self.assertEqual(bindings, [("", "ClusterRole", "soperator-manager-webhook"), ("a", "ClusterRole", "soperator-manager"),
                                    ("b", "ClusterRole", "soperator-manager"), ("soperator", "Role", "soperator-manager")])

    def test_another_name_is_used_in_the_rules_too(self):
        objects = self.objects("--set", "fullnameOverride=other")
        self.assertIn(("ValidatingWebhookConfiguration", "other-validating-webhook"), objects)
        named = [rule["resourceNames"] for rule in objects["ClusterRole", "other-manager"]["rules"] if "resourceNames" in rule]
        self.assertEqual(named, [["other-validating-webhook"]])

    def test_no_rule_has_a_wildcard(self):
        for (kind, name), one in self.objects().items():
            for rule in one.get("rules", ()):
                for key in ("apiGroups", "resources", "verbs"):
                    self.assertNotIn("*", rule[key], f"{kind} {name}")

    def test_values_of_the_reference_without_effect_are_accepted_and_listed(self):
        notes = helm.notes("soperator", "--set", "certManager.enabled=true,controllerManager.manager.env.isMariadbCrdInstalled=true")
        self.assertIn("no effect in this chart: certManager, controllerManager.manager.env.isMariadbCrdInstalled", notes)


@needs_helm
class SlurmClusters(unittest.TestCase):
    def spec(self, *values, files=()):
        arguments = [word for value in values for word in ("--set", value)]
        arguments += [word for path in files for word in ("-f", path)]
        objects = helm.template("slurm-cluster", *arguments)
        return next(one for one in objects if one["kind"] == "SlurmCluster")["spec"]

    def test_the_default_values_give_a_cluster_with_login_and_accounting(self):
        [cluster] = helm.template("slurm-cluster", release="correct-cpu-cluster", namespace="correct-cpu-cluster")
        self.assertEqual(cluster["metadata"]["name"], "correct-cpu-cluster")
        nodes = cluster["spec"]["slurmNodes"]
        self.assertEqual(nodes["worker"]["size"], 2)
        self.assertEqual((nodes["login"]["sshdServiceType"], nodes["login"]["sshdServiceNodePort"]), ("NodePort", 30022))
        self.assertTrue(nodes["accounting"]["enabled"])
        self.assertNotIn("munge", nodes["controller"])
        home = cluster["spec"]["home"]["volumeClaimTemplateSpec"]
        self.assertEqual((home["accessModes"], home["resources"]["requests"]["storage"]), (["ReadWriteMany"], "10Gi"))

    def test_the_command_of_the_seed_changes_size_and_memory(self):
        nodes = self.spec("slurmNodes.worker.size=10", "slurmNodes.controller.resources.memory=2Gi")["slurmNodes"]
        self.assertEqual(nodes["worker"]["size"], 10)
        self.assertEqual(nodes["controller"]["slurmctld"]["resources"], {"cpu": "100m", "memory": "2Gi"})
        self.assertNotIn("resources", nodes["controller"])

    def test_the_form_of_the_reference_sets_the_resources_of_the_container(self):
        nodes = self.spec("slurmNodes.controller.slurmctld.resources.memory=3Gi", "slurmNodes.worker.slurmd.resources.gpu=8",
                          "slurmNodes.login.sshd.resources.ephemeralStorage=30Gi")["slurmNodes"]
        self.assertEqual(nodes["controller"]["slurmctld"]["resources"], {"cpu": "100m", "memory": "3Gi"})
        self.assertEqual(nodes["worker"]["slurmd"]["resources"], {"cpu": "1", "memory": "1Gi", "nvidia.com/gpu": 8})
        self.assertEqual(nodes["login"]["sshd"]["resources"]["ephemeral-storage"], "30Gi")

    def test_amounts_of_the_component_win_over_those_of_its_container(self):
        nodes = self.spec("slurmNodes.worker.resources.cpu=4", "slurmNodes.worker.slurmd.resources.cpu=2")["slurmNodes"]
        self.assertEqual(nodes["worker"]["slurmd"]["resources"]["cpu"], 4)

    def test_images_of_the_chart_reach_containers_without_their_own(self):
        nodes = self.spec("images.slurmctld=r/ctld:1", "images.mariaDB=r/db:1", "images.munge=r/munge:1", "images.slurmrestd=r/rest:1",
                          "images.sshd=r/sshd:1", "slurmNodes.login.sshd.image=own/sshd:2", "imagePullPolicy=Never",
                          "imagePullSecrets[0].name=pull")["slurmNodes"]
        self.assertEqual(nodes["controller"]["slurmctld"]["image"], "r/ctld:1")
        self.assertEqual(nodes["login"]["sshd"]["image"], "own/sshd:2")
        self.assertEqual(nodes["accounting"]["mariadbOperator"]["image"], "r/db:1")
        self.assertEqual(nodes["rest"]["rest"]["image"], "r/rest:1")
        self.assertNotIn("munge", nodes["controller"])
        for container in (nodes["worker"]["slurmd"], nodes["rest"]["rest"], nodes["accounting"]["mariadbOperator"]):
            self.assertEqual((container["imagePullPolicy"], container["imagePullSecrets"]), ("Never", [{"name": "pull"}]))

    def test_munge_is_used_if_it_is_set(self):
        nodes = self.spec("slurmNodes.controller.munge.resources.memory=64Mi", "images.munge=r/munge:1")["slurmNodes"]
        self.assertEqual(nodes["controller"]["munge"], {"resources": {"memory": "64Mi"}, "image": "r/munge:1"})
        self.assertNotIn("munge", nodes["login"])

    def test_workers_may_be_in_node_sets_only(self):
        objects = helm.template("slurm-cluster", "--set", "slurmNodes.worker=null,images.slurmd=r.example:5000/slurmd:7",
                                "--set", "nodesets[0].name=large,nodesets[0].replicas=3,nodesets[0].slurmd.resources.ephemeralStorage=1Gi")
        kinds = {one["kind"]: one for one in objects}
        self.assertNotIn("worker", kinds["SlurmCluster"]["spec"]["slurmNodes"])
        spec = kinds["NodeSet"]["spec"]
        self.assertEqual((kinds["NodeSet"]["metadata"]["name"], spec["clusterName"], spec["replicas"]), ("large", "demo", 3))
        self.assertEqual(spec["slurmd"], {"image": {"repository": "r.example:5000/slurmd", "tag": "7"},
                                          "resources": {"ephemeral-storage": "1Gi"}})

    def test_home_may_be_a_volume_source_instead_of_the_default_claim(self):
        spec = self.spec("home.volumeSourceName=nfs", "volumeSources[0].name=nfs", "volumeSources[0].nfs.server=a")
        self.assertEqual(spec["home"], {"volumeSourceName": "nfs"})
        self.assertNotIn("home", self.spec("home=null"))

    def test_a_claim_is_created_for_a_volume_source_on_request(self):
        objects = helm.template("slurm-cluster", "--set", "volumeSources[0].name=data,volumeSources[0].createPVC=true,volumeSources[0].size=1Gi,"
                                "volumeSources[0].persistentVolumeClaim.claimName=data-claim")
        kinds = {one["kind"]: one for one in objects}
        claim = kinds["PersistentVolumeClaim"]
        self.assertEqual((claim["metadata"]["name"], claim["spec"]["resources"]["requests"]["storage"]), ("data-claim", "1Gi"))
        self.assertEqual(kinds["SlurmCluster"]["spec"]["volumeSources"], [{"name": "data", "persistentVolumeClaim": {"claimName": "data-claim"}}])

    def test_numbers_stay_numbers(self):
        spec = self.spec("slurmConfig.suspendTime=1000000000", "slurmConfig.maxJobCount=10000000")
        self.assertEqual(spec["slurmConfig"], {"suspendTime": 1000000000, "maxJobCount": 10000000})

    def test_every_field_of_the_reference_can_be_a_value(self):
        fixture = GENERATE.TOP / "tests/fixtures/operator/reference_cluster.json"
        wanted = json.loads(fixture.read_text())["spec"]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as values:
            json.dump(wanted, values)
            values.flush()
            found = self.spec(files=[values.name])
        self.assertEqual(_missing(wanted, found), [])

    def test_values_of_the_reference_without_effect_are_accepted_and_listed(self):
        notes = helm.notes("slurm-cluster", "--set", "cudaVersion=12.9.0,slurmNodes.controller.rbac.create=true,slurmNodes.sssd.enabled=false")
        self.assertIn("no effect in this chart: cudaVersion, slurmNodes.controller.rbac, slurmNodes.sssd", notes)
        spec = self.spec("cudaVersion=12.9.0", "slurmNodes.controller.rbac.create=true", "slurmNodes.sssd.enabled=false")
        self.assertNotIn("cudaVersion", spec)
        self.assertNotIn("rbac", spec["slurmNodes"]["controller"])
        self.assertNotIn("sssd", spec["slurmNodes"])

    def test_the_notes_tell_how_to_log_in(self):
        self.assertIn("ssh -p 30022 soperator@", helm.notes("slurm-cluster"))
        self.assertIn("Nobody can log in", helm.notes("slurm-cluster"))
        self.assertNotIn("Nobody can log in", helm.notes("slurm-cluster", "--set", "slurmNodes.login.sshRootPublicKeys={ssh-ed25519 AAAA}"))


def _missing(wanted, found, path="spec"):
    """Paths of `wanted` with another value in `found`. Empty values of spec are left to the defaults of the API server."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return [path_ for key, value in wanted.items() if value not in ("", [], {}, None)
                for path_ in _missing(value, found.get(key), f"{path}.{key}")]
    return [] if wanted == found else [f"{path}: {wanted} became {found}"]


if __name__ == "__main__":
    unittest.main()
