"""Reads a folder with a dataset card, as a user does: {folder, name} gives the rows of that config."""

import json
import sys

from datasets import load_dataset

request = json.load(sys.stdin)
dataset = load_dataset(request["folder"], request["name"], split="train")
json.dump(list(dataset), sys.stdout)
