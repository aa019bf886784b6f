import { useQuery } from '@tanstack/react-query';
import type { FieldGround } from '../field/picture/index.ts';
import { designQueries } from './designQueries.ts';

const THEME_GROUND: FieldGround = { color: null, url: null };

/**
 * What lies behind the therapist's own figures, for pictures of the field; null until it is known. Where it can't be
 * fetched it is the theme's.
 */
export function useOwnGround(): FieldGround | null {
  const { data, isError } = useQuery(designQueries.own());
  const { data: url = null, isPending } = useQuery({
    ...designQueries.picture(data?.imageId ?? ''),
    enabled: Boolean(data?.imageId),
  });
  if (isError) return THEME_GROUND;
  // Without its picture, a saved one would show another ground.
  if (!data || (data.imageId && isPending)) return null;
  return { color: data.color, url: data.imageId && url };
}
