/** The calls of the room, by address alone; see platform/api/address.ts. */
import type * as clients from '@fieldroom/contract/clients';
import type * as field from '@fieldroom/contract/field';
import { address } from '../../platform/api/index.ts';

export const openRoom = address<typeof clients.openRoom>('POST', '/api/room/open');
export const getRoom = address<typeof clients.getRoom>('GET', '/api/room/state');
export const admit = address<typeof clients.admit>('POST', '/api/room/admit');
export const decline = address<typeof clients.decline>('POST', '/api/room/decline');
export const remove = address<typeof clients.remove>('POST', '/api/room/remove');
export const renewCode = address<typeof clients.renewCode>('POST', '/api/room/code');
export const setAdmission = address<typeof clients.setAdmission>('POST', '/api/room/admission');
export const endLiveSession = address<typeof clients.endLiveSession>('POST', '/api/room/end');
export const getSeat = address<typeof clients.getSeat>('GET', '/api/room/seat');
export const leaveRoom = address<typeof clients.leaveRoom>('POST', '/api/room/leave');

export const allIcons = address<typeof field.allIcons>('GET', '/api/svg_img/all/{therapistId}');
export const iconImage = address<typeof field.iconImage>('GET', '/api/svg_img/image/{therapistId}/{id}');
export const saveIcon = address<typeof field.saveIcon>('POST', '/api/svg_img/save');
export const deleteIcon = address<typeof field.deleteIcon>('POST', '/api/svg_img/delete/{id}');
