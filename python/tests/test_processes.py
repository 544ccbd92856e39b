"""Threads, forks, Ctrl-C and what a step costs."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import drystone
from drystone import ModelBuilder, Simulation


def crowd(model: drystone.Model, count: int) -> drystone.Model:
    """So many copies that threads are used."""
    many = ModelBuilder()
    many.replicate(model, count, offset=(2, 0, 0))
    return many.finalize()


def test_threads_of_python_run_during_a_step(ten_boxes: drystone.Model) -> None:
    sim = Simulation(crowd(ten_boxes, 40), dt=0.01)
    counted, done = 0, threading.Event()

    def step() -> None:
        sim.step(10)
        done.set()

    worker = threading.Thread(target=step)
    worker.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.0005)
    worker.join()
    assert counted > 5


def test_one_simulation_may_be_used_from_several_threads(ten_boxes: drystone.Model) -> None:
    alone, shared = Simulation(ten_boxes, dt=0.01), Simulation(ten_boxes, dt=0.01)
    alone.step(80)

    def work() -> None:
        for _ in range(20):
            shared.step()
            assert shared.body_q.shape == (10, 7)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert shared.step_count == 80
    assert shared.state_hash() == alone.state_hash()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("threads", [None, 2])
def test_a_forked_child_steps_on(threads: int | None, ten_boxes: drystone.Model) -> None:
    sim = Simulation(crowd(ten_boxes, 12), dt=0.01, threads=threads)
    sim.step(3)
    context = multiprocessing.get_context("fork")
    answers: multiprocessing.Queue[int] = context.Queue()  # type: ignore[assignment]

    def child() -> None:
        sim.step(3)
        answers.put(sim.state_hash())

    process = context.Process(target=child)
    process.start()
    there = answers.get(timeout=60)
    process.join(timeout=60)
    sim.step(3)
    assert process.exitcode == 0
    assert there == sim.state_hash()


def test_ctrl_c_stops_between_two_steps() -> None:
    program = textwrap.dedent(
        """
        import drystone, signal
        # Shells start what runs in the background with Ctrl-C ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sim = drystone.load_scene("pyramid", rows=12).simulation()
        sim.step(2)
        print("ready", flush=True)
        try:
            sim.step(1_000_000)
        except KeyboardInterrupt:
            sim.step()
            print("stopped", sim.step_count > 2)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "stopped True\n"


def test_a_call_costs_less_than_five_microseconds(ten_boxes: drystone.Model) -> None:
    """The same steps one call each and all in one call, in turns; time of this thread, the least of many short rounds, as others
    use the machine too."""
    steps, rounds = 100, 60
    one, all_in_one = Simulation(ten_boxes, dt=0.01, iterations=1), Simulation(ten_boxes, dt=0.01, iterations=1)
    places, efforts = one.body_q, one.joint_f
    assert places.shape == (10, 7) and efforts.shape == (0, 6)
    one.step(50)
    all_in_one.step(50)
    least = [float("inf"), float("inf")]
    for _ in range(rounds):
        start = time.thread_time()
        for _ in range(steps):
            one.step()
        middle = time.thread_time()
        all_in_one.step(steps)
        end = time.thread_time()
        least = [min(least[0], middle - start), min(least[1], end - middle)]
    overhead = (least[0] - least[1]) / steps
    print(f"{1e6 * least[1] / steps:.2f} µs a step, {1e6 * overhead:.2f} µs for the call")
    assert overhead < 5e-6
