/** The path of a person's picture. It changes with the picture, so that no browser shows an old one. */
export const picturePathOf = ({ id, pictureFile }: { id: number; pictureFile: string | null }): string | null =>
  pictureFile === null ? null : `/api/image/${id}?v=${pictureFile.slice(0, 8)}`;
