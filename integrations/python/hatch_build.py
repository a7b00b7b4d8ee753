"""What the package takes from elsewhere in the repository: generated modules, the program, and facts of package.json."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PROGRAM = "rollout_wire_extras/program"

# What the program reads, at the same places as in the npm package.
PROGRAM_FILES = (
    "dist/THIRD-PARTY-LICENSES.txt",
    "dist/bin",
    "dist/source.json",
    "docs/rules",
    "fixtures/golden/data-loop/input.jsonl",
    "generated",
    "package.json",
    "schema",
)
# Compiled upcasters, which there are only after a second major version.
UPCASTERS = "dist/schema"


def is_unpacked_sdist(root: str) -> bool:
    return Path(root, "PKG-INFO").is_file()


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if is_unpacked_sdist(self.root):
            return
        repository = Path(self.root).parents[1]
        if not (repository / "dist/bin/main.js").is_file():
            raise FileNotFoundError(f"{repository}/dist has no program: npm ci && npm run build")
        files = build_data["force_include"]
        # The wheel that is built from the sdist has it there by `license-files`.
        licenses = f"rollout_wire-{self.metadata.version}.dist-info/licenses/"
        files[f"{repository}/LICENSE"] = f"{'' if self.target_name == 'sdist' else licenses}LICENSE"
        for name in ("rollout_wire", "rollout_wire_pydantic"):
            files[f"{repository}/generated/python/{name}"] = name
        upcasters = [UPCASTERS] if (repository / UPCASTERS).is_dir() else []
        for path in (*PROGRAM_FILES, *upcasters):
            files[f"{repository}/{path}"] = f"{PROGRAM}/{path}"


class CustomMetadataHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        manifest = json.loads((root.parents[1] / "package.json").read_text(encoding="utf-8"))
        version, author = manifest["version"], manifest["author"]
        repository = re.sub(r"^git\+|\.git$", "", manifest["repository"]["url"])
        pages = f"{repository}/blob/v{version}"
        metadata["version"] = version
        metadata["authors"] = [{key: author[key] for key in ("name", "email") if key in author}]
        metadata["urls"] = {
            "Homepage": f"{repository}#readme",
            "Documentation": f"{pages}/docs/python.md",
            "Repository": repository,
            "Issues": f"{repository}/issues",
            "Changelog": f"{pages}/CHANGELOG.md",
        }
        text = (root / "README.md").read_text(encoding="utf-8")
        # Package pages resolve no links; those of this tag stay right after a file has changed.
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": text.replace("](../../", f"]({pages}/"),
        }
