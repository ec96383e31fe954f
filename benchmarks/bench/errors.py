# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one exception that ends a benchmark run with a message instead of a traceback.

Whatever a user can repair (no network, a missing package, a tool that refuses a
flag) is a BenchError; anything else is a bug in the harness and keeps its traceback.
"""


class BenchError(Exception):
    """A failure the user can act on; its text says what to do."""


class OutputMismatch(BenchError):
    """Two variants of one program computed different results: never a mere warning."""
