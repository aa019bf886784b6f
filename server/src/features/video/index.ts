/** Door of faces and voices: tickets, settings, the video line and what carries it. */
export { createEmbeddedEngine } from './engine/index.ts';
export { createJanusEngine } from './janus/janus.engine.ts';
export { videoRoutes } from './video.routes.ts';
export { createVideo } from './video.service.ts';
export type { Video } from './video.service.ts';
export type { VideoEngine } from './video.types.ts';
