"""Trains small tokenizers of four kinds on texts, and counts the tokens of each text. Input {texts}; output: for each
kind its tokenizer.json and the counts."""

import json
import sys

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

ALPHABET = pre_tokenizers.ByteLevel.alphabet()
SPECIAL = ["<|im_start|>", "<|im_end|>"]
# As in the tokenizers of Llama 3 and Qwen.
WORDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def byte_level():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer, trainers.BpeTrainer(vocab_size=600, special_tokens=SPECIAL, initial_alphabet=ALPHABET)


def split():
    tokenizer, trainer = byte_level()
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return tokenizer, trainer


def unigram():
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer, trainers.UnigramTrainer(vocab_size=800, special_tokens=["<unk>"], unk_token="<unk>")


def word_piece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer, trainers.WordPieceTrainer(vocab_size=800, special_tokens=["[UNK]"])


def train(create, texts):
    tokenizer, trainer = create()
    trainer.show_progress = False
    tokenizer.train_from_iterator(texts, trainer)
    counts = [len(tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]
    return {"tokenizer": json.loads(tokenizer.to_str()), "counts": counts}


texts = json.load(sys.stdin)["texts"]
kinds = {"byte-level": byte_level, "split": split, "unigram": unigram, "word-piece": word_piece}
json.dump({name: train(create, texts) for name, create in kinds.items()}, sys.stdout)
