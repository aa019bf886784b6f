/** One search over a person's data. Other features provide the sources. Rules: docs/product.md#11.27. */
import type { Feature } from '../../feature.ts';
import { searchRoutes } from './search.routes.ts';
import { createSearchService, type SearchParts } from './search.service.ts';

/** Makes the search. Takes limits, settings, and the sources of all features. */
export function createSearch(parts: SearchParts): Required<Pick<Feature, 'routes'>> {
  const service = createSearchService(parts);
  return { routes: (http) => searchRoutes(http, service) };
}
