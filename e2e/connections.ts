/**
 * To be given to a page before it goes anywhere: keeps its connections as `window.connections`, so that what they
 * carry can be counted. It is sent as text and uses nothing from outside.
 */
export function keepConnections(): void {
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
