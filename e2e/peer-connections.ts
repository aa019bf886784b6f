/**
 * An init script for pages: keeps all peer connections in `window.connections`, so that tests can read their
 * statistics. It is sent to the page as text, so it uses nothing from outside.
 */
export function recordPeerConnections(): void {
  const all: RTCPeerConnection[] = [];
  Object.assign(window, { connections: all });
  const Original = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      all.push(this);
    }
  };
}
