/** The fixed calls about past and running live sessions (docs/product.md#6.3). */
import { findSessionDetails, findSessions, sendSessionEmail } from '@fieldroom/contract/sessions';
import type { Http } from '../../../access.ts';
import type { History } from './sessions.history.ts';

/** Mounts the calls. */
export function historyRoutes(http: Http, history: History): void {
  http.handle(findSessions, ({ access, body, query }) => history.find(access.id, body, query));
  http.handle(findSessionDetails, ({ access, body, query }) => history.findDetails(access.id, body, query));
  http.handle(sendSessionEmail, ({ access, body }) => history.sendEmail(access.id, body));
}
