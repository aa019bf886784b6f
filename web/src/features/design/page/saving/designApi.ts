/** The calls of the design page. Each throws `ApiProblem`. */
import { allTemplates, resetDesign, saveTemplate, uploadTemplateImage } from '@fieldroom/contract/design';
import { api, fillPath } from '../../../../platform/api/index.ts';
import { sendFile, textIn, type UploadOptions } from '../../../../platform/fetching/sendFile.ts';
import { storage } from '../../../../platform/storage.ts';
import type { OwnDesign } from '../../ownDesign.ts';
import type { Draft, Part } from './designDraft.ts';

const save = (body: Parameters<typeof api.call<typeof saveTemplate>>[1]['body']) => api.call(saveTemplate, { body });

/** Problems: `image_unreadable`, `image_too_large`, `quota_reached`, `storage_full`, `too_many_requests`. */
async function upload(file: File, options: UploadOptions): Promise<string> {
  const therapistId = storage.get('user')?.id ?? 0;
  const answer = await sendFile(fillPath(uploadTemplateImage.path, { therapistId }), file, options, () =>
    api.call(allTemplates, { params: { therapistId } }),
  );
  return textIn(answer, 'imageId');
}

/** Saves one part of a draft. Returns the resulting design. */
export async function savePart(part: Part, draft: Draft, options: UploadOptions): Promise<Partial<OwnDesign>> {
  const { color, picture, left, top } = draft;
  switch (part) {
    case 'color':
      await save({ type: 'BACKGROUND_COLOR', bgColor: color });
      return { color };
    case 'picture':
      if (picture.kind === 'new') return { imageId: await upload(picture.file, options) };
      await save({ type: 'BACKGROUND_IMAGE', imageId: null });
      return { imageId: null };
    case 'left':
      await save({ type: 'LEFT_MENU', ...left });
      return { left };
    case 'top':
      await save({ type: 'TOP_MENU', ...top });
      return { top };
  }
}

/** Resets colours and picture to the theme on the server. */
export const resetAll = (): Promise<void> => api.call(resetDesign);
