#!/usr/bin/env python3
"""Makes the served model: a Llama of random weights with a small tokenizer, the same bytes for the same seed and library versions.

    make_model.py HF_HOME [--hidden 1024] [--layers 8] [--seed 7]

Laid out as a Hugging Face cache under the name local/random-llama, so that the server and the load generator find it with
HF_HOME=… HF_HUB_OFFLINE=1 and no network. Prints the snapshot's folder. Its answers are nonsense; the work of a token is real.
Needs torch, transformers and tokenizers (they come with vLLM).
"""
import argparse
import hashlib
import pathlib
import string

NAME = "local/random-llama"
SPECIAL = ["<unk>", "<s>", "</s>"]
CHAT = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
TEXT = ["The server answers requests in batches, and a batch holds as many of them as it may.",
        "Shall I compare thee to a summer's day? Thou art more lovely and more temperate.",
        "Time to first token, time per output token, and the latency from end to end."] * 8


def make_tokenizer(folder):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token=SPECIAL[0]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    # ASCII alone: half a character of another script would make a token without text, and a stream without that chunk.
    alphabet = sorted(set(string.printable) - set(string.whitespace)) + ["Ġ", "Ċ"]
    tokenizer.train_from_iterator(TEXT, trainers.BpeTrainer(vocab_size=400, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False))
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token=SPECIAL[0], bos_token=SPECIAL[1], eos_token=SPECIAL[2], model_max_length=2048)
    fast.chat_template = CHAT
    fast.save_pretrained(folder)
    return len(fast)


def make_weights(folder, vocabulary, hidden, layers, seed):
    import torch
    from transformers import AutoModelForCausalLM, GenerationConfig, LlamaConfig

    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(LlamaConfig(
        vocab_size=vocabulary, hidden_size=hidden, intermediate_size=2 * hidden, num_hidden_layers=layers,
        num_attention_heads=hidden // 64, num_key_value_heads=hidden // 128, head_dim=64, max_position_embeddings=2048,
        bos_token_id=1, eos_token_id=2, tie_word_embeddings=False, initializer_range=0.1))
    with torch.no_grad():
        model.lm_head.weight[:len(SPECIAL)] = 0  # never the most likely: a special token has no text to stream
    model = model.to(torch.bfloat16)
    model.config.dtype = "bfloat16"
    model.generation_config = GenerationConfig(bos_token_id=1, eos_token_id=2)
    model.save_pretrained(folder)
    return sum(p.numel() for p in model.parameters())


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("home", type=pathlib.Path)
    p.add_argument("--hidden", type=int, default=1024)
    p.add_argument("--layers", type=int, default=8)
    p.add_argument("--seed", type=int, default=7)
    a = p.parse_args()
    repository = a.home / "hub" / ("models--" + NAME.replace("/", "--"))
    revision = hashlib.sha1(repr((a.hidden, a.layers, a.seed)).encode()).hexdigest()
    folder = repository / "snapshots" / revision
    folder.mkdir(parents=True, exist_ok=True)
    (repository / "refs").mkdir(exist_ok=True)
    (repository / "refs" / "main").write_text(revision)
    make_weights(folder, make_tokenizer(folder), a.hidden, a.layers, a.seed)
    print(folder)


if __name__ == "__main__":
    main()
