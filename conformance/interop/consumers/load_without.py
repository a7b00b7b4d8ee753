"""Imports a module of a package without the package's own `__init__`, which would load PyTorch."""

import importlib
import importlib.util
import sys
import types
from unittest import mock


def load_without(absent, module):
    """The published module. The modules named in `absent` are replaced by empty mocks, for this module
    only; code that uses them is not tested."""
    package, *rest = module.split(".")
    for name in [package, *(".".join([package, *rest[:end]]) for end in range(1, len(rest)))]:
        if name not in sys.modules:
            sys.modules[name] = _empty_package(name)
    stand_ins = {name: mock.MagicMock() for name in absent if name not in sys.modules}
    with mock.patch.dict(sys.modules, stand_ins):
        loaded = importlib.import_module(module)
        kept = {name: each for name, each in sys.modules.items() if name not in stand_ins}
    sys.modules.update(kept)
    return loaded


def _empty_package(name):
    package, *folders = name.split(".")
    base = sys.modules.get(package) or importlib.util.find_spec(package)
    (home,) = getattr(base, "__path__", None) or base.submodule_search_locations
    empty = types.ModuleType(name)
    empty.__path__ = ["/".join([home, *folders])]
    return empty
