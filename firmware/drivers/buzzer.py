"""A passive buzzer on a PWM pin."""

from machine import PWM, Pin


class Buzzer:
    """Silent until `sound`."""

    def __init__(self, pin: int) -> None:
        self._pwm = PWM(Pin(pin), freq=1000, duty_u16=0)

    def sound(self, frequency_hz: int) -> None:
        """A tone until the next call; 0 is silence."""
        if frequency_hz:
            self._pwm.freq(frequency_hz)
        self._pwm.duty_u16(32768 if frequency_hz else 0)
