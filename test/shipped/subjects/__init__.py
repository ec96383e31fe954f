# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs and libraries as Debian ships them, and what they are given to do (model.py).

A file for each kind has SUBJECTS, by name, and FILES: the scripts and sources that only they
read, by file name. What several kinds read is made by inputs.py.
"""
import importlib

from .inputs import make_shared

KINDS = ["base", "text", "compression", "crypto", "languages", "pictures", "science", "services"]

SUBJECTS, FILES = {}, {}
for _kind in KINDS:
    _module = importlib.import_module(f"{__name__}.{_kind}")
    for _all, _more in ((SUBJECTS, _module.SUBJECTS), (FILES, _module.FILES)):
        if _twice := _all.keys() & _more.keys():
            raise ValueError(f"twice: {_twice}")
        _all.update(_more)


def make_inputs(folder):
    """Writes all inputs there."""
    make_shared(folder)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
