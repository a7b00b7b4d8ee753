"""Loads a dataset folder by name. Input {folder}; output: the default rows, and those of each config."""

import json
import sys

from datasets import get_dataset_config_names, load_dataset

folder = json.load(sys.stdin)["folder"]
configs = {
    name: list(load_dataset(folder, name, split="train")) for name in get_dataset_config_names(folder)
}
json.dump({"rows": list(load_dataset(folder, split="train")), "configs": configs}, sys.stdout)
