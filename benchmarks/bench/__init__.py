# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every benchmark family shares: fetching, building, running, counting, statistics, rows."""
