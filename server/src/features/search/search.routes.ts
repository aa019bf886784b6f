/** The call of the search. */
import { search } from '@fieldroom/contract/search';
import type { Http } from '../../access.ts';
import type { SearchService } from './search.service.ts';

/** Mounts the call. */
export function searchRoutes(http: Http, service: SearchService): void {
  http.handle(search, ({ access, body }) => service.find(access, body));
}
