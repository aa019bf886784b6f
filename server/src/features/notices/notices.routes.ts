/** The bell's calls. Each is about the caller's own notices. */
import { findNotices, readAllNotices, readNotice } from '@fieldroom/contract/notices';
import type { Http } from '../../access.ts';
import type { Notices } from './notices.service.ts';

/** Mounts the calls. */
export function noticesRoutes(http: Http, notices: Pick<Notices, 'find' | 'read' | 'readAll'>): void {
  http.handle(findNotices, ({ access, query }) => notices.find(access.id, query));
  http.handle(readNotice, ({ access, params }) => notices.read(access.id, params.noticeId));
  http.handle(readAllNotices, ({ access, body }) => notices.readAll(access.id, body.upTo));
}
