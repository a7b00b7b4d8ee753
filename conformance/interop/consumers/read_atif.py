"""Validates trajectories with Harbor's own models. Input {path}; output for each line: how many steps it has, and whether
Harbor writes what it read, or why it refuses the line."""

import json
import sys

from harbor.models.trajectories import Trajectory
from pydantic import ValidationError


def read(line):
    try:
        trajectory = Trajectory.model_validate_json(line)
    except ValidationError as error:
        return {"refused": str(error)}
    return {"steps": len(trajectory.steps), "same": trajectory.to_json_dict() == json.loads(line)}


with open(json.load(sys.stdin)["path"], encoding="utf-8", newline="\n") as lines:
    json.dump([read(line) for line in lines], sys.stdout)
