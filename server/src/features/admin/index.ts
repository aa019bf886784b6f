/** The operator's side: usage of the service by therapist, suspensions, scheduled jobs. */
import type { Feature } from '../../feature.ts';
import { adminRoutes } from './admin.routes.ts';
import { therapistSearch } from './admin.search.store.ts';
import { type AdminParts, createAdminService } from './admin.service.ts';

/** Makes the operator's side. No other feature uses it. */
export function createAdmin(parts: AdminParts): Required<Pick<Feature, 'routes' | 'search'>> {
  const service = createAdminService(parts);
  return { routes: (http) => adminRoutes(http, service), search: [therapistSearch(parts.db)] };
}
