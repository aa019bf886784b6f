/** Peer connections of werift for tests, which stand in for a browser. */
import { RTCDtlsTransport, RTCPeerConnection } from 'werift';
import { createMessageFilter } from './engine/transport/dtls.proof.ts';

/*
 * On a busy machine a client repeats its first message before it has read the answer, and so gets two answers. A
 * browser ignores the second. werift treats it as an error and never says that it is connected.
 */
const start = RTCDtlsTransport.prototype.start;
RTCDtlsTransport.prototype.start = function startTolerantly(this: RTCDtlsTransport) {
  // The handshake exists as soon as `start` returns, and sends its first message later.
  const started = start.call(this);
  const { dtls } = this;
  if (dtls) {
    const handle = dtls.onHandleHandshakes;
    const isWanted = createMessageFilter(this.role === 'client' ? 'server' : 'client');
    dtls.onHandleHandshakes = (messages) => handle(messages.filter(isWanted));
  }
  return started;
};

/** Makes the peer connection of a test. Takes werift's settings. It speaks to this machine only, over IPv4. */
export function createTestPeer(settings: ConstructorParameters<typeof RTCPeerConnection>[0]): RTCPeerConnection {
  return new RTCPeerConnection({
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceServers: [],
    ...settings,
  });
}
