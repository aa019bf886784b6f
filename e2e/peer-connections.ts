/**
 * An init script for pages: keeps all peer connections in `window.connections`, so that tests can read their
 * statistics; `window.statsOf` reads those of one, and returns none for one that closes in between, for which Firefox
 * never answers. It is sent to the page as text, so it uses nothing from outside.
 */
export function recordPeerConnections(): void {
  const all: RTCPeerConnection[] = [];
  const none = (resolve: (stats: RTCStatsReport) => void) =>
    void setTimeout(resolve, 2_000, new Map() as unknown as RTCStatsReport);
  const statsOf = (connection: RTCPeerConnection) =>
    Promise.race([connection.getStats(), new Promise<RTCStatsReport>(none)]);
  Object.assign(window, { connections: all, statsOf });
  const Original = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      all.push(this);
    }
  };
}

/** What {@link recordPeerConnections} adds to a page. */
export interface RecordedConnections {
  readonly connections: readonly RTCPeerConnection[];
  statsOf(connection: RTCPeerConnection): Promise<RTCStatsReport>;
}
