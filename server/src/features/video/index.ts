/** The room's video: tickets, settings, the video connection and the engine that carries it. */
import type { Feature } from '../../feature.ts';
import { type Config, isLoopback } from '../../platform/config.ts';
import type { Log } from '../../platform/monitoring/log.ts';
import { createEmbeddedEngine } from './engine/index.ts';
import { createJanusEngine } from './janus/janus.engine.ts';
import { createVideoChannel } from './video.channel.ts';
import { videoRoutes } from './video.routes.ts';
import { createVideoService, type Video as VideoService, type VideoParts } from './video.service.ts';
import type { VideoEngine } from './video.types.ts';

export type { VideoEngine } from './video.types.ts';

export type Video = Omit<VideoService, 'stop'> &
  Required<Pick<Feature, 'routes' | 'channel' | 'jobs' | 'metrics' | 'disconnect'>>;

/** Makes the video of all rooms. */
export function createVideo(parts: VideoParts): Video {
  const service = createVideoService(parts);
  const { stop: disconnect, ...functions } = service;
  const total = (read: (stats: Awaited<ReturnType<VideoService['stats']>>) => number) => async () =>
    read(await service.stats());
  return {
    ...functions,
    routes: (http) => videoRoutes(http, { video: service, clients: parts.clients }),
    channel: createVideoChannel(service),
    disconnect,
    jobs: [
      { name: 'video.checkMembers', everySeconds: 60, run: service.checkMembers },
      ...((parts.nodes?.id ?? null) === null
        ? []
        : [
            { name: 'video.keep', everySeconds: 2, run: service.keep },
            { name: 'video.tidy', everySeconds: 600, run: service.tidy },
          ]),
    ],
    metrics: [
      {
        name: 'video_ready',
        help: 'Whether sound and picture can be carried',
        read: total(({ ready }) => Number(ready)),
      },
      {
        name: 'video_connections',
        help: 'Sockets on the video connection',
        read: total(({ connections }) => connections),
      },
      {
        name: 'video_links',
        help: 'Sockets here whose room is on another node, and those of other nodes whose room is here',
        read: total(({ links }) => links),
      },
      { name: 'video_rooms', help: 'Rooms with sound and picture', read: total(({ rooms }) => rooms) },
      { name: 'video_publishers', help: 'People who send', read: total(({ publishers }) => publishers) },
      {
        name: 'video_packets_out',
        help: 'Packets forwarded since the start',
        read: total(({ packetsOut }) => packetsOut),
      },
      {
        name: 'video_retransmitted',
        help: 'Packets sent once more since the start',
        read: total(({ retransmitted }) => retransmitted),
      },
    ],
  };
}

/** Makes what carries the video: Janus servers where the settings name some, else this program itself. */
export function createEngine(config: Config, log: Log): VideoEngine {
  if (config.janus.urls.length > 0) return createJanusEngine({ ...config.janus, log });
  const { ports, addresses, workers } = config.video;
  return createEmbeddedEngine({
    portRange: [ports.first, ports.last],
    publicAddresses: addresses,
    // Someone who tries it out on one machine reaches it there, whatever networks it has.
    loopback: isLoopback(config.host),
    log,
    ...(workers === null ? {} : { workers }),
  });
}
