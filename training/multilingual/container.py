"""Reads the base model: multilingual-e5-small in the container `E5S1`.

Layout, little-endian: magic `E5S1`, u32 version; i32 width, layers, heads, inner width, rows, positions, segment types;
f32 epsilon; i32 block size; i32 pieces, bos, eos, pad, unk; u64 blob length; u32 piece offsets; f32 piece scores; blob;
i32 normalisations, u32 bytes, normalisations; i32 tensors; then per tensor u16 name length, name, u8 type, u32 count,
u64 offset, u64 bytes. Type 0 is f32, 1 is Q4_0: blocks of 32 weights, an f16 scale and 16 bytes; byte j holds weight j
in its low and weight j + 16 in its high half, each minus 8.
"""

import struct
from dataclasses import dataclass

import numpy

BLOCK = 32
BLOCK_BYTES = 18


@dataclass
class Container:
    """Header and tensors of the base model. Q4_0 tensors are raw blocks, shape (blocks, 18)."""

    width: int
    layers: int
    heads: int
    inner: int
    epsilon: float
    tensors: dict[str, numpy.ndarray]


def read(data: bytes) -> Container:
    """Parses the container."""
    if data[:4] != b"E5S1":
        raise ValueError(f"base model: expected magic E5S1, got {data[:4]!r}")
    width, layers, heads, inner, _, _, _, epsilon, block = struct.unpack_from("<7ifi", data, 8)
    if block != BLOCK:
        raise ValueError(f"base model: expected blocks of {BLOCK} weights, got {block}")
    place = 8 + 36
    pieces, _, _, _, _, blob = struct.unpack_from("<5iQ", data, place)
    place += 28 + 4 * (pieces + 1) + 4 * pieces + blob
    _, normalisations = struct.unpack_from("<iI", data, place)
    place += 8 + normalisations
    (count,) = struct.unpack_from("<i", data, place)
    place += 4
    tensors = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, place)
        name = data[place + 2 : place + 2 + length].decode()
        place += 2 + length
        kind, _, offset, size = struct.unpack_from("<BIQQ", data, place)
        place += 21
        raw = numpy.frombuffer(data, numpy.uint8, size, offset)
        tensors[name] = raw.reshape(-1, BLOCK_BYTES) if kind else raw.view(numpy.float32)
    return Container(width, layers, heads, inner, epsilon, tensors)


def dequantised(blocks: numpy.ndarray, width: int) -> numpy.ndarray:
    """The weights of Q4_0 blocks as f32, shape (rows, width)."""
    scales = numpy.ascontiguousarray(blocks[:, :2]).view(numpy.float16).astype(numpy.float32)
    halves = blocks[:, 2:]
    weights = numpy.concatenate([halves & 15, halves >> 4], 1).astype(numpy.float32) - 8.0
    return (weights * scales).reshape(-1, width)
