"""The trainers of TRL as they prepare rows, without PyTorch; what they load is neither cached nor reported."""

import datasets
from load_without import load_without
from trl import is_conversational  # noqa: F401, so that the package itself is loaded first

# Only models and their configurations are absent.
ABSENT = ["torch", "torch.nn", "torch.nn.functional", "torch.utils", "torch.utils.data"]
ABSENT += ["accelerate", "accelerate.logging", "accelerate.utils", "trl.models", "trl.models.utils"]
ABSENT += [f"trl.trainer.{name}" for name in ("callbacks", "utils", "dpo_config", "sft_config", "kto_config")]
dpo = load_without(ABSENT, "trl.trainer.dpo_trainer")
sft = load_without(ABSENT, "trl.trainer.sft_trainer")
kto = load_without(ABSENT, "trl.trainer.kto_trainer")

datasets.disable_caching()
datasets.disable_progress_bars()

# Nothing is cut off.
WHOLE = {"dataset_num_proc": None, "max_length": None}
