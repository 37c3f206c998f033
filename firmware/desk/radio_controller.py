"""A virtual Bluetooth controller with what bumble's leaves out, and the socket on which a host gets one.

bumble ships a controller for tests; the desk needs it to cancel a connection attempt, to answer scans, to lose its host
and to wait for connection events.
"""

import asyncio
import itertools
from typing import Any

from bumble import hci, ll
from bumble.controller import Controller
from bumble.transport.common import PacketParser, StreamPacketSink

from firmware.desk.radio_air import Air

_REMOTE_POWERED_OFF = 0x15
_AdvertisingReport = hci.HCI_LE_Extended_Advertising_Report_Event
_LEGACY_SCAN_RESPONSE = 0x1B
_LEGACY_CONNECTABLE = 0x13


class DeskController(Controller):
    """One controller on the air."""

    # bumble's 27 bytes would cut every PDU into pieces.
    le_acl_data_packet_length = 251
    total_num_le_acl_data_packets = 12
    supported_max_tx_octets = 251
    supported_max_rx_octets = 251

    def __init__(self, name: str, air: Air) -> None:
        super().__init__(name, link=air)
        self.air = air

    def on_hci_acl_data_packet(self, packet: Any) -> None:
        if connection := self.find_le_connection_by_handle(packet.connection_handle):
            self.air.queue_packet(connection, packet)

    def cross(self, connection: Any, packet: Any) -> None:
        """A packet's connection event has come: over it goes, and its buffer is the host's again."""
        held: Any = self.le_connections.get(connection.peer_address)
        if held is connection:
            held.on_hci_acl_data_packet(packet)

    def on_hci_disconnect_command(self, command: Any) -> None:
        if self.find_le_connection_by_handle(command.connection_handle):
            super().on_hci_disconnect_command(command)
        else:
            # bumble would leave its host waiting for an end that has been
            self._send_hci_command_status(hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code)

    def on_le_disconnected(self, connection: Any, reason: int) -> None:
        if connection.peer_address in self.le_connections:
            self.air.close_link(connection)
            super().on_le_disconnected(connection, reason)

    def on_hci_le_create_connection_cancel_command(self, _command: Any) -> Any:
        """Vol 4, Part E, 7.8.13: a cancelled attempt ends with Connection Complete, status 0x02."""
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        ended = hci.HCI_LE_Connection_Complete_Event(
            status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
            connection_handle=0,
            role=hci.Role.CENTRAL,
            peer_address_type=pending.peer_address.address_type,
            peer_address=pending.peer_address,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        asyncio.get_running_loop().call_soon(self.send_hci_packet, ended)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_le_set_extended_scan_parameters_command(self, command: Any) -> Any:
        # bumble forgets whether the scan is active
        self.le_scan_type = command.scan_types[0] if command.scan_types else 0
        return super().on_hci_le_set_extended_scan_parameters_command(command)

    def on_advertising_pdu(self, pdu: Any) -> None:
        """Report an advertisement, and its scan response to an active scan only; then see whether to connect."""
        if self.le_scan_enable:
            self._report(pdu.advertiser_address, _LEGACY_CONNECTABLE, pdu.data)
            if self.le_scan_type:
                self._report(pdu.advertiser_address, _LEGACY_SCAN_RESPONSE, self._scan_response(pdu.advertiser_address))
        pending = self.pending_le_connection
        if pending and pending.peer_address == pdu.advertiser_address:
            self.create_le_connection(pdu.advertiser_address)

    def _report(self, address: hci.Address, event_type: int, data: bytes) -> None:
        report = _AdvertisingReport.Report(
            event_type=event_type,
            address_type=address.address_type,
            address=address,
            primary_phy=hci.Phy.LE_1M,
            secondary_phy=0,
            advertising_sid=0xFF,
            tx_power=0x7F,
            rssi=-50,
            periodic_advertising_interval=0,
            direct_address_type=0,
            direct_address=hci.Address.ANY,
            data=data,
        )
        self.send_hci_packet(_AdvertisingReport([report]))

    def _scan_response(self, address: hci.Address) -> bytes:
        for controller in self.air.controllers:
            for advertising in controller.advertising_sets.values():
                if advertising.enabled and advertising.address == address:
                    return bytes(advertising.scan_response_data)
        return b""

    def is_advertising_as(self, address: hci.Address) -> bool:
        """Whether a connection request to `address` would be heard here."""
        advertisers: list[Any] = [self.le_legacy_advertiser, *self.advertising_sets.values()]
        return any(a.enabled and a.address == address and _is_connectable(a) for a in advertisers)

    def unplug(self) -> None:
        """The host is gone (process killed, dongle pulled): every peer sees the link end, nothing stays on the air."""
        self.host = None
        self.le_scan_enable = False
        self.pending_le_connection = None
        for advertising in self.advertising_sets.values():
            advertising.stop()
        for connection in list(self.le_connections.values()):
            connection.send_ll_control_pdu(ll.TerminateInd(_REMOTE_POWERED_OFF))
            self.on_le_disconnected(connection, _REMOTE_POWERED_OFF)
        self.air.controllers.discard(self)


def _is_connectable(advertiser: Any) -> bool:
    parameters = getattr(advertiser, "parameters", None)
    return parameters is None or bool(parameters.advertising_event_properties & 1)


class HciPort(asyncio.Protocol):
    """The HCI (H4) connection of one host: a controller of its own that goes when the host goes."""

    _numbers = itertools.count(1)

    def __init__(self, air: Air) -> None:
        self._air = air

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._controller = DeskController(f"host {next(self._numbers)}", self._air)
        self._controller.host = StreamPacketSink(transport)
        self._parser = PacketParser(self._controller)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._controller.unplug()
