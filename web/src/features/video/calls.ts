/** The calls of sound and picture, by address alone; see platform/api/address.ts. */
import type * as clients from '@fieldroom/contract/clients';
import type * as video from '@fieldroom/contract/video';
import { address } from '../../platform/api/index.ts';

export const getVideoTicket = address<typeof video.getVideoTicket>('POST', '/api/room/video-ticket');
export const setVideoSettings = address<typeof video.setVideoSettings>('POST', '/api/room/video');
export const muteClients = address<typeof video.muteClients>('POST', '/api/room/video/mute');
export const askToUnmute = address<typeof video.askToUnmute>('POST', '/api/room/video/ask');
export const raiseHand = address<typeof video.raiseHand>('POST', '/api/room/hand');
export const updateSelected = address<typeof clients.updateSelected>('POST', '/api/updateUnregisteredUserSelected');
