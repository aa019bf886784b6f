import { useQuery } from '@tanstack/react-query';
import type { FieldGround } from '../field/picture/index.ts';
import { designQueries } from './designQueries.ts';

const THEME_GROUND: FieldGround = { color: null, url: null };

/**
 * The background of the therapist's own figures, for pictures of the field; null until it is known, and the theme's if
 * it can't be fetched.
 */
export function useOwnGround(): FieldGround | null {
  const { data, isError } = useQuery(designQueries.own());
  const { data: url = null, isPending } = useQuery({
    ...designQueries.picture(data?.imageId ?? ''),
    enabled: Boolean(data?.imageId),
  });
  if (isError) return THEME_GROUND;
  // Without its picture, a saved one would show another background.
  if (!data || (data.imageId && isPending)) return null;
  return { color: data.color, url: data.imageId && url };
}
