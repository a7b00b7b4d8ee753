"""Loads dataset folders by name. Input {folders}; output: for each, the default rows, and those of each config."""

import json
import sys

from datasets import get_dataset_config_names, load_dataset


def read(folder):
    configs = {
        name: list(load_dataset(folder, name, split="train")) for name in get_dataset_config_names(folder)
    }
    return {"rows": list(load_dataset(folder, split="train")), "configs": configs}


json.dump([read(folder) for folder in json.load(sys.stdin)["folders"]], sys.stdout)
