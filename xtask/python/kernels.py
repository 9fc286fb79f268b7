"""Compile CUDA C++ to the language of NVIDIA's drivers: kernels.py SOURCE RESULT."""

import ctypes
import sys
from pathlib import Path

import nvidia.cuda_nvrtc

OPTIONS = [b"--gpu-architecture=compute_80", b"--std=c++17"]


def main() -> None:
    source, result = map(Path, sys.argv[1:])
    folder = Path(nvidia.cuda_nvrtc.__path__[0]) / "lib"
    # The compiler looks for this by its name alone.
    ctypes.CDLL(str(next(folder.glob("libnvrtc-builtins.so*"))), mode=ctypes.RTLD_GLOBAL)
    compiler = ctypes.CDLL(str(folder / "libnvrtc.so.12"))
    program = ctypes.c_void_p()
    text = source.read_bytes()
    if compiler.nvrtcCreateProgram(ctypes.byref(program), text, source.name.encode(), 0, None, None):
        sys.exit("the compiler does not start")
    options = (ctypes.c_char_p * len(OPTIONS))(*OPTIONS)
    failed = compiler.nvrtcCompileProgram(program, len(OPTIONS), options)
    if failed:
        sys.exit(read(compiler.nvrtcGetProgramLogSize, compiler.nvrtcGetProgramLog, program).decode())
    result.write_bytes(read(compiler.nvrtcGetPTXSize, compiler.nvrtcGetPTX, program))


def read(size: ctypes._CFuncPtr, get: ctypes._CFuncPtr, program: ctypes.c_void_p) -> bytes:
    """A text of the compiler."""
    length = ctypes.c_size_t()
    size(program, ctypes.byref(length))
    text = ctypes.create_string_buffer(length.value)
    get(program, text)
    return text.value


main()
