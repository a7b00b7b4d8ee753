"""Lines of files, plain or compressed, and files that are complete or absent."""

from __future__ import annotations

import errno
import glob
import gzip
import io
import os
import secrets
import shutil
import zlib
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import IO, Any, Generator, Iterable, Iterator, Union, cast

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Iterable[Path]]

_GZIP_MAGIC = b"\x1f\x8b"
# RFC 8878, section 3.1.1.
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
# The manuals of bzip2 and xz.
_UNSUPPORTED = ((b"BZh", "bzip2", "bunzip2"), (b"\xfd7zXZ\x00", "xz", "unxz"))
_HEAD_LENGTH = 64
_BUFFER_BYTES = 1 << 20
_JSON_WHITESPACE = b" \t\r\n"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_JSON_STARTS = (b"{", BYTE_ORDER_MARK)


def expand_paths(paths: Paths) -> Iterator[str]:
    """The files of a path, of a glob pattern such as `runs/**/*.jsonl.gz`, or of several of them.

    A name that exists is that file, even with glob characters. The files of a pattern are sorted; one that
    was named before is left out. Raises FileNotFoundError for a pattern that matches no file.
    """
    names = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    seen: set[str] = set()
    for path in names:
        name = os.fsdecode(path)
        if not glob.has_magic(name) or os.path.lexists(name):
            seen.add(os.path.realpath(name))
            yield name
            continue
        found = sorted(each for each in glob.glob(name, recursive=True) if os.path.isfile(each))
        if not found:
            raise FileNotFoundError(errno.ENOENT, "no file matches the pattern", name)
        for each in found:
            real = os.path.realpath(each)
            if real not in seen:
                seen.add(real)
                yield each


def read_lines(name: str) -> Iterator[bytes]:
    """The lines of a file, decompressed as its first bytes tell.

    Raises OSError with the file if it cannot be read, is damaged, or is compressed in another way.
    """
    count = 0
    kind = ""
    damages: tuple[type[Exception], ...] = (gzip.BadGzipFile, EOFError, zlib.error)
    with ExitStack() as files:
        file = files.enter_context(io.BufferedReader(io.FileIO(name), _BUFFER_BYTES))
        try:
            lines: IO[bytes] = file
            kind = _compression(name, file.peek(_HEAD_LENGTH))
            if kind == "gzip":
                lines = _buffered(files, gzip.GzipFile(fileobj=file))
            elif kind == "zstd":
                zstd = _require_zstd(name, "decompress it first (zstd -d)")
                damages = (*damages, zstd.ZstdError)
                lines = _buffered(files, zstd.ZstdFile(file))
            for line in lines:
                yield line
                count += 1
        except OSError as error:
            if isinstance(error, damages):
                raise _damaged(name, kind, count, error) from error
            # The system knows no names of open files.
            if error.errno is None or error.filename is not None:
                raise
            raise OSError(error.errno, os.strerror(error.errno), name) from error
        except damages as error:
            raise _damaged(name, kind, count, error) from error


def _buffered(files: ExitStack, raw: Any) -> IO[bytes]:
    """Lines of a buffer are found several times as fast as those of the decompressor itself."""
    return files.enter_context(cast(IO[bytes], io.BufferedReader(raw, _BUFFER_BYTES)))


def _damaged(name: str, kind: str, count: int, error: Exception) -> OSError:
    return OSError(f"{name}: damaged {kind} data after line {count}: {error}")


def _compression(name: str, head: bytes) -> str:
    """`gzip`, `zstd`, or "" for text. Raises OSError for what is none of them."""
    if head.startswith(_GZIP_MAGIC):
        return "gzip"
    if head.startswith(_ZSTD_MAGIC):
        return "zstd"
    for magic, kind, program in _UNSUPPORTED:
        if head.startswith(magic):
            raise OSError(f"{name}: {kind} data is not supported: decompress it first ({program})")
    # A download may have been decompressed and kept its name, so JSON is no fault.
    text = head.lstrip(_JSON_WHITESPACE)
    is_text = head and (not text or text.startswith(_JSON_STARTS))
    for suffix, kind in ((".gz", "gzip"), (".zst", "zstd")):
        if name.endswith(suffix) and not is_text:
            raise OSError(f"{name}: is named {suffix}, but is {f'not {kind}' if head else 'empty'}")
    return ""


def _require_zstd(name: str, otherwise: str) -> Any:
    # Not an import statement: type checkers of repositories without the second would not find it.
    for module in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(module)
        except ImportError:
            continue
    raise OSError(f"{name}: zstd needs Python 3.14 or pip install backports.zstd; or {otherwise}")


@contextmanager
def open_output(path: Path) -> Generator[IO[bytes], None, None]:
    """A file to write, compressed if its name ends in `.gz` or `.zst`.

    It is written beside its place and renamed at the end, so that it is complete or unchanged. What is no
    regular file, such as a pipe, is written in place.
    """
    name = os.fsdecode(path)
    target = os.path.realpath(name)
    is_replaced = os.path.isfile(target)
    if os.path.exists(target) and not is_replaced:
        with open(target, "wb") as device, _compressed(name, device) as output:
            yield output
        return
    # Without the name of the file, so that it is not too long if that one is not.
    temporary = os.path.join(os.path.dirname(target), f".rollout-wire-{secrets.token_hex(8)}.tmp")
    try:
        with _create(temporary, name) as file:
            with _compressed(name, file) as output:
                yield output
            file.flush()
            os.fsync(file.fileno())
        if is_replaced:
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise


def _create(temporary: str, name: str) -> IO[bytes]:
    try:
        return open(temporary, "xb")
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from None


@contextmanager
def _compressed(name: str, file: IO[bytes]) -> Generator[IO[bytes], None, None]:
    if name.endswith(".gz"):
        # No name and no time, so that equal records give equal bytes.
        raw: Any = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0)
    elif name.endswith(".zst"):
        raw = _require_zstd(name, "write a .jsonl or a .jsonl.gz").ZstdFile(file, "wb")
    else:
        yield file
        return
    with io.BufferedWriter(raw, _BUFFER_BYTES) as output:
        yield cast(IO[bytes], output)
