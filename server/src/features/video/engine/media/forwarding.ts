/**
 * A room: publishers' packets in, subscribers' packets out. See `media.types.ts` for how it is used.
 *
 * What is asked for each packet are methods, never getters: with a getter each object made by a closure has a shape of its own, and with hundreds
 * of slots V8 looks every property up anew (it cost a third of the forwarding).
 */
import { createDownlink, type DownlinkParts } from './downlink.ts';
import type { Forwarding, ForwardingSpec, ForwardingStats } from './media.types.ts';
import { createUplink, type UplinkParts } from './uplink.ts';
import { createVoices } from './voices.ts';

/** In: how the room is made, see `ForwardingSpec`. Out: an empty room. Deterministic: all time is handed in, no timer, no chance. */
export function createForwarding(spec: ForwardingSpec): Forwarding {
  const uplinks = new Set<UplinkParts>();
  const downlinks = new Set<DownlinkParts>();
  const counted: ForwardingStats = {
    packetsIn: 0,
    packetsOut: 0,
    bytesOut: 0,
    retransmitted: 0,
    retransmissionsMissed: 0,
    requested: 0,
    givenUp: 0,
    keyFramesRequested: 0,
    keptBytes: 0,
  };
  const voices = createVoices({
    loudest: spec.loudestVoices,
    talkingLevel: spec.talkingLevel,
    talkingPackets: spec.talkingPackets,
  });
  const room = { spec, voices, counted };

  return {
    addUplink(uplinkSpec) {
      const uplink = createUplink(room, uplinkSpec, () => uplinks.delete(uplink));
      uplinks.add(uplink);
      return uplink;
    },
    addDownlink(downlinkSpec) {
      const downlink = createDownlink(room, downlinkSpec, () => downlinks.delete(downlink));
      downlinks.add(downlink);
      return downlink;
    },
    tick(nowMs) {
      voices.tick(nowMs);
      for (const downlink of downlinks) downlink.tick(nowMs);
      for (const uplink of uplinks) uplink.tick(nowMs);
    },
    stats() {
      let keptBytes = 0;
      for (const uplink of uplinks) keptBytes += uplink.keptBytes();
      return { ...counted, keptBytes };
    },
    close() {
      for (const downlink of [...downlinks]) downlink.close();
      for (const uplink of [...uplinks]) uplink.close();
    },
  };
}
