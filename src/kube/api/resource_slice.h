// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kube/api/meta.h"

#include <cstdint>
#include <string_view>

namespace kube::inline api {

// Attribute of a device; other types than these two are empty.
struct DeviceAttribute {
  std::optional<std::int64_t> int_;
  std::optional<std::string> string_;
};

struct Device {
  std::string name;
  std::map<std::string, DeviceAttribute> attributes;

  // A name without a domain belongs to the driver: "index" equals "gpu.example.com/index". nullptr
  // if there is no such attribute.
  const DeviceAttribute* attribute(std::string_view driver, const std::string& plain_name) const;
};

struct ResourcePool {
  std::string name;
  std::int64_t generation = 0;
  std::int64_t resourceSliceCount = 0;
};

struct ResourceSliceSpec {
  std::string driver;
  std::string nodeName;  // empty: not of a single node
  ResourcePool pool;
  std::vector<Device> devices;
};

// resource.k8s.io/v1: the devices that a driver publishes.
struct ResourceSlice {
  ObjectMeta metadata;
  ResourceSliceSpec spec;
};

struct DeviceClassSpec {
  std::string extendedResourceName;  // empty: pods ask for its devices by claims only
};

// resource.k8s.io/v1: devices that pods may ask for.
struct DeviceClass {
  ObjectMeta metadata;
  DeviceClassSpec spec;
};

template <>
base::Result<ResourceSlice> decode_object<ResourceSlice>(const json::Node& node);
template <>
base::Result<DeviceClass> decode_object<DeviceClass>(const json::Node& node);

template <>
inline const Resource& resource_of<ResourceSlice>() {
  return kResourceSlices;
}
template <>
inline const Resource& resource_of<DeviceClass>() {
  return kDeviceClasses;
}

}  // namespace kube::inline api
