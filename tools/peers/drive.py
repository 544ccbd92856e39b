"""Steps a scene in another engine on request.

usage: drive.py ENGINE SCENE.json [KEY=VALUE]…

Started by `benches/peers`. The scene is the description that program writes: bodies, shapes and ball joints. First a
line of JSON goes out: the engine's version. Then, for every byte that comes in, one step is taken and answered with
numbers of 64 bits: milliseconds on the wall and on the processors, then for every body its position, turn
(x, y, z, w), velocity of the centre of mass and angular velocity, then for every particle its position and velocity.
Only the step itself is timed.
"""

import importlib
import json
import os
import sys
import time

import numpy


def main():
    # What engines print must not get between the numbers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    engine, scene = sys.argv[1], json.load(open(sys.argv[2]))
    options = dict(word.split("=", 1) for word in sys.argv[3:])
    world = importlib.import_module(f"{engine}_engine").World(scene, options)
    answers.write((json.dumps({"version": world.version}) + "\n").encode())
    answers.flush()
    while sys.stdin.buffer.read(1):
        wall, cpu = time.perf_counter(), time.process_time()
        world.step()
        laps = [time.perf_counter() - wall, time.process_time() - cpu]
        answers.write((1e3 * numpy.array(laps)).tobytes())
        answers.write(numpy.ascontiguousarray(world.state(), dtype=numpy.float64).tobytes())
        answers.flush()


if __name__ == "__main__":
    main()
