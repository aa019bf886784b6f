/** The parts that a saved picture includes: own icons and the background's picture, as `data:` addresses. */
import { type Figure, iconImage } from '@fieldroom/contract/field';
import { skipToken, useQuery } from '@tanstack/react-query';
import { api, ApiProblem } from '../../../../platform/api/index.ts';
import { storage } from '../../../../platform/storage.ts';
import type { Size } from '../../drawing/geometry.ts';
import { iconSize } from '../../icons/iconLibrary.ts';
import type { StillIcon } from '../StillDrawing.tsx';

interface PictureParts {
  icons: ReadonlyMap<number, StillIcon>;
  groundUrl: string | null;
}

export type PicturePartsState = { kind: 'loading' } | { kind: 'failed' } | { kind: 'ready'; parts: PictureParts };

/** A wider background picture than the largest file would only make it heavier. */
const GROUND_WIDTH_MAX = 3200;
const GROUND_QUALITY = 0.92;
/** The longer side of an icon: the size of a very large figure in the largest file. */
const ICON_SIDE = 1024;

async function decoded(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** Redraws an image in pixels. Takes the background below it, and the type of the result. */
function painted(image: HTMLImageElement, size: Size, below: string | null, type: 'image/png' | 'image/jpeg'): string {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(size.width));
  canvas.height = Math.max(1, Math.round(size.height));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no canvas');
  if (below !== null) {
    context.fillStyle = below;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL(type, GROUND_QUALITY);
}

/**
 * One own icon; null if it was deleted. In pixels: a drawing may contain invisible words, such as the names of its
 * layers, and many programs do not show a drawing within a drawing.
 */
async function iconPart(iconId: number): Promise<StillIcon | null> {
  let drawing: Blob;
  try {
    const params = { therapistId: storage.get('user')?.id ?? 0, id: iconId };
    drawing = (await api.call(iconImage, { params })) as Blob;
  } catch (fault) {
    if (fault instanceof ApiProblem && fault.code === 'not_found') return null;
    throw fault;
  }
  const size = iconSize(await drawing.text());
  const address = URL.createObjectURL(drawing);
  try {
    const image = await decoded(address);
    const { width, height } = size ?? { width: 1, height: 1 };
    const scale = ICON_SIDE / Math.max(width, height);
    const url = painted(image, { width: width * scale, height: height * scale }, null, 'image/png');
    return { url, width: size?.width, height: size?.height };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The background's picture as shown. As JPEG, which every program reads. */
async function groundPart(url: string, below: string): Promise<string> {
  const image = await decoded(url);
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(1, GROUND_WIDTH_MAX / width);
  return painted(image, { width: width * scale, height: height * scale }, below, 'image/jpeg');
}

/** Takes the ids of the icons, the address of the background's picture, and the colour below it. */
async function collect(iconIds: readonly number[], ground: string | null, below: string): Promise<PictureParts> {
  const [groundUrl, ...icons] = await Promise.all([
    ground === null ? null : groundPart(ground, below),
    ...iconIds.map(async (id) => [id, await iconPart(id)] as const),
  ]);
  return { groundUrl, icons: new Map(icons.flatMap(([id, icon]) => (icon === null ? [] : [[id, icon]]))) };
}

/**
 * Fetches the parts. Takes the figures, the address of the background's picture (undefined while it is not known), and
 * the colour below it (null while it is not known). Returns the progress, and a function that tries again.
 */
export function usePictureParts(
  figures: readonly Figure[],
  groundUrl: string | null | undefined,
  below: string | null,
): { state: PicturePartsState; retry(): void } {
  const iconIds = [...new Set(figures.flatMap(({ iconId }) => (iconId === null ? [] : [iconId])))];
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['pictureParts', iconIds, groundUrl, below],
    queryFn: groundUrl === undefined || below === null ? skipToken : () => collect(iconIds, groundUrl, below),
    // A picture is static; the next dialog fetches again.
    staleTime: Infinity,
    gcTime: 0,
  });
  const retry = () => void refetch();
  if (data) return { state: { kind: 'ready', parts: data }, retry };
  return { state: { kind: isError && !isFetching ? 'failed' : 'loading' }, retry };
}
