// SPDX-License-Identifier: Apache-2.0
#include "kube/api/resource_slice.h"

#include "kube/api/describe.h"

namespace kube::inline api {

BOOST_DESCRIBE_STRUCT(DeviceAttribute, (), (int_, string_))
BOOST_DESCRIBE_STRUCT(Device, (), (name, attributes))
BOOST_DESCRIBE_STRUCT(ResourcePool, (), (name, generation, resourceSliceCount))
BOOST_DESCRIBE_STRUCT(ResourceSliceSpec, (), (driver, nodeName, pool, devices))
BOOST_DESCRIBE_STRUCT(ResourceSlice, (), (metadata, spec))
BOOST_DESCRIBE_STRUCT(DeviceClassSpec, (), (extendedResourceName))
BOOST_DESCRIBE_STRUCT(DeviceClass, (), (metadata, spec))

const DeviceAttribute* Device::attribute(std::string_view driver,
                                         const std::string& plain_name) const {
  auto found = attributes.find(plain_name);
  if (found == attributes.end()) found = attributes.find(std::string(driver) + "/" + plain_name);
  return found == attributes.end() ? nullptr : &found->second;
}

template <>
base::Result<ResourceSlice> decode_object<ResourceSlice>(const json::Node& node) {
  return json::decode<ResourceSlice>(node);
}

template <>
base::Result<DeviceClass> decode_object<DeviceClass>(const json::Node& node) {
  return json::decode<DeviceClass>(node);
}

}  // namespace kube::inline api
