// SPDX-License-Identifier: Apache-2.0
#include "models/slurm/error.h"

namespace models::slurm {
namespace {

struct Row {
  int number = 0;
  int status = 422;
  std::string_view text;
};

constexpr Row kRows[] = {
    {-1, 500, "Unspecified error"},
    {0, 200, "No error"},
    {22, 500, "Invalid argument"},
    {2000, 422, "Invalid partition name specified"},
    {2002, 422, "Access/permission denied"},
    {2003, 422, "User's group not permitted to use this partition"},
    {2006, 422, "Node count specification invalid"},
    {2007, 422, "MaxJobCount limit reached"},
    {2010, 422, "Invalid user id"},
    {2014, 422, "Requested node configuration is not available"},
    {2015, 422, "Requested partition configuration not available now"},
    {2016, 422, "Requested nodes are busy"},
    {2017, 404, "Invalid job id specified"},
    {2018, 422, "Invalid node name specified"},
    {2021, 422, "Job/step already completing or completed"},
    {2028, 422, "Invalid node state specified"},
    {2029, 422, "Invalid feature specification"},
    {2036, 422, "Requested operation not supported on this system"},
    {2038, 422, "Job dependency problem"},
    {2039, 422, "Only batch jobs are accepted or processed"},
    {2045, 422, "Invalid account or account/partition combination specified"},
    {2048, 422, "Invalid license specification"},
    {2051, 422, "Requested time limit is invalid (missing or exceeds some limit)"},
    {2052, 422, "Access denied to requested reservation"},
    {2053, 422, "Requested reservation is invalid"},
    {2066, 422, "Invalid qos specification"},
    {2068, 422, "Required node not available (down, drained or reserved)"},
    {2072, 422, "Invalid generic resource (gres) specification"},
    {2073, 422, "Job is no longer pending execution"},
    {2081, 422, "Invalid job array specification"},
    {2084, 422, "Job has already finished"},
    {2085, 422, "Job is not running"},
    {2115, 422, "Invalid Trackable RESource (TRES) specification"},
    {2164, 422, "Unable to resolve group ID to group name"},
    {2166, 422, "Unable to resolve user ID to user name"},
    {2168, 422, "Node already exists in the node table"},
    {2178, 422, "Requested topology configuration is not available"},
    {2180, 422, "Invalid node state transition"},
    {2189, 500, "Invalid configuration for external job"},
    {9000, 422, "Query empty or not RFC7320 compliant"},
    {9202, 500, "Unable to convert Data type"},
    {9209, 500, "Data parser expected a dictionary or object"},
    {9207, 500, "Data parser unable to parse invalid flag"},
};

const Row& row_of(int number) {
  for (const Row& row : kRows) {
    if (row.number == number) return row;
  }
  return kRows[0];
}

}  // namespace

std::string_view words_of(int number) {
  return row_of(number).text;
}

int status_of(int number) {
  return row_of(number).status;
}

}  // namespace models::slurm
