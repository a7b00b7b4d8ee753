"""Runs the code of a document in a folder. Input: {package, folder, code}; output: the rows of its frames."""

import json
import os
import sys

request = json.load(sys.stdin)
sys.path[:0] = request["package"].split(os.pathsep)
os.chdir(request["folder"])
names = {"__name__": "__main__"}
exec(request["code"], names)
json.dump([names["frame"].to_dicts(), list(names["dataset"])], sys.stdout)
