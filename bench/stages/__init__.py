# SPDX-License-Identifier: Apache-2.0
"""What `make bench` measures, one part per file; ground.py is what they stand on."""
