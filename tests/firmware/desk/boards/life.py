"""A board that shows how it came to life and dies on request, for the tests of pins, watchdog, resets and deep sleep.

Its pixel: red the reset cause, green what the kept memory counts, blue the battery pin in steps of 100 mV.
Falling edges: 1 reset, 2 hang until the watchdog bites, 3 deep sleep until pin 4 is low, 5 look at the battery again.
"""

import asyncio

import esp32
import machine
import neopixel
from machine import ADC, PWM, RTC, WDT, Pin

WATCHDOG_MS = 400
orders = []


def note(pin):
    orders.append(repr(pin))


def show():
    memory = RTC().memory()
    pixel = neopixel.NeoPixel(Pin(48), 1)
    pixel[0] = (machine.reset_cause(), len(memory), ADC(Pin(8)).read_uv() // 100_000)
    pixel.write()


async def main():
    RTC().memory(RTC().memory() + b"x")
    dog = WDT(timeout=WATCHDOG_MS)
    pins = [Pin(number, Pin.IN, Pin.PULL_UP) for number in (1, 2, 3, 5)]
    for pin in pins:
        pin.irq(handler=note, trigger=Pin.IRQ_FALLING)
    buzzer = PWM(Pin(6), freq=1000, duty_u16=0)
    show()
    while True:
        await asyncio.sleep_ms(20)
        dog.feed()
        if not orders:
            continue
        order = orders.pop(0)
        if order == "Pin(1)":
            machine.reset()
        elif order == "Pin(2)":
            while True:
                pass
        elif order == "Pin(3)":
            esp32.wake_on_ext0(Pin(4, Pin.IN, Pin.PULL_UP, hold=True), 0)
            machine.deepsleep()
        else:
            buzzer.duty_u16(32768)
            show()
            buzzer.duty_u16(0)


def run():
    asyncio.run(main())
