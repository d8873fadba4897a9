"""The program's clock goes on from the record, whatever the machine's does."""

from dealer_ui.process.clock import SteadyClock


class Machine:
    def __init__(self, wall_ms: int) -> None:
        self.wall_ms = wall_ms
        self.run_ms = 5

    def wall_ns(self) -> int:
        return self.wall_ms * 1_000_000

    def run_ns(self) -> int:
        return self.run_ms * 1_000_000

    def pass_ms(self, ms: int) -> None:
        self.wall_ms += ms
        self.run_ms += ms


def test_time_goes_on_when_the_machine_is_set_back_while_the_program_runs() -> None:
    machine = Machine(1_000_000)
    clock = SteadyClock(0, machine.wall_ns, machine.run_ns)
    assert clock.now_ms() == 1_000_000
    machine.wall_ms = 10
    machine.pass_ms(40)
    assert clock.now_ms() == 1_000_040


def test_a_program_started_on_a_machine_set_back_goes_on_from_the_record() -> None:
    machine = Machine(1_000)
    clock = SteadyClock(5_000, machine.wall_ns, machine.run_ns)
    assert clock.behind_ms == 4_000
    machine.pass_ms(1)
    assert clock.now_ms() == 5_001


def test_a_machine_that_is_ahead_of_the_record_is_believed() -> None:
    machine = Machine(9_000)
    clock = SteadyClock(5_000, machine.wall_ns, machine.run_ns)
    assert (clock.behind_ms, clock.now_ms()) == (0, 9_000)
