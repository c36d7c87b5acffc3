# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests speak with: pods, jobs, the bridge, the cluster, and what the audit log tells."""
