# SPDX-License-Identifier: Apache-2.0
"""What `make bench` measures, one stage per file; ground.py is common to all."""
