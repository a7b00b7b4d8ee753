"""Imports a module of a package without the package's own start, which would load PyTorch."""

import importlib
import importlib.util
import sys
import types
from unittest import mock


def load_without(absent, module):
    """The module as it is published; of the modules named in `absent` it gets empty stand-ins, so
    that nothing of them may be what is tested."""
    import transformers  # noqa: F401  before the stand-ins, so that it does not take one for PyTorch

    for name in absent:
        sys.modules.setdefault(name, mock.MagicMock())
    package, *rest = module.split(".")
    (folder,) = (
        sys.modules[package].__path__
        if package in sys.modules
        else importlib.util.find_spec(package).submodule_search_locations
    )
    for name in [package, *(f"{package}.{folder_name}" for folder_name in rest[:-1])]:
        if name not in sys.modules:
            parent = types.ModuleType(name)
            parent.__path__ = ["/".join([folder, *name.split(".")[1:]])]
            sys.modules[name] = parent
    return importlib.import_module(module)
