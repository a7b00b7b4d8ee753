"""A tokenizer of one token per byte, which needs no vocabulary of a model and decodes to the same text."""

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

ALPHABET = {byte: index for index, byte in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}


def create_tokenizer(template):
    core = Tokenizer(models.BPE(vocab=ALPHABET, merges=[]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    core.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, bos_token="<s>", eos_token="</s>", clean_up_tokenization_spaces=False
    )
    tokenizer.chat_template = template
    return tokenizer
