import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { designQueries, noteDesign } from '../../designQueries.ts';
import { type OwnDesign, THEME_DESIGN } from '../../ownDesign.ts';
import { resetAll, savePart } from './designApi.ts';
import {
  type Changes,
  type Draft,
  draftOf,
  lowContrast,
  type Part,
  PARTS,
  withChange,
  without,
} from './designDraft.ts';

/** What the page says about saving: `stopped` after an upload that the person has ended. */
type Progress = 'none' | 'saving' | 'saved' | 'failed' | 'unreadable' | 'stopped' | 'reset';

export interface DesignForm {
  draft: Draft;
  /** Something is not saved yet. */
  dirty: boolean;
  progress: Progress;
  /** What part of a picture has left, 0 to 1; null while none is uploaded. */
  uploaded: number | null;
  /** What was refused, by part. */
  faults: Partial<Record<Part, unknown>>;
  change<P extends Part>(part: P, value: Draft[P]): void;
  /** Takes back what is not saved. */
  discard(): void;
  save(): Promise<void>;
  stopUpload(): void;
  /** Gives every part the look of the theme. Throws `ApiProblem`. */
  reset(): Promise<void>;
}

const releasePicture = ({ picture }: Changes) => picture?.kind === 'new' && URL.revokeObjectURL(picture.address);

/** Takes the design as it is stored; it may change meanwhile on another device. */
export function useDesignForm(saved: OwnDesign): DesignForm {
  const queries = useQueryClient();
  const [changes, setChanges] = useState<Changes>({});
  const [progress, setProgress] = useState<Progress>('none');
  const [uploaded, setUploaded] = useState<number | null>(null);
  const [faults, setFaults] = useState<DesignForm['faults']>({});
  const upload = useRef<AbortController>(undefined);
  const latest = useRef(changes);
  useEffect(() => {
    latest.current = changes;
  });
  useEffect(
    () => () => {
      upload.current?.abort();
      releasePicture(latest.current);
    },
    [],
  );
  const draft = draftOf(saved, changes);

  const save = async () => {
    if (lowContrast(draft.left) !== null || lowContrast(draft.top) !== null) {
      setProgress('unreadable');
      return;
    }
    setProgress('saving');
    setFaults({});
    upload.current = new AbortController();
    const { signal } = upload.current;
    let [design, end]: [OwnDesign, Progress] = [saved, 'saved'];
    for (const part of PARTS.filter((each) => each in changes))
      try {
        design = { ...design, ...(await savePart(part, draft, { signal, onProgress: setUploaded })) };
        // The picture from this device goes on being shown; other pages fetch the server's own.
        if (part === 'picture' && draft.picture.kind === 'new' && design.imageId !== null)
          queries.setQueryData(designQueries.picture(design.imageId).queryKey, draft.picture.address);
        await noteDesign(queries, design);
        // What was chosen while this was saved is not saved.
        setChanges((before) => (before[part] === changes[part] ? without(before, part) : before));
      } catch (fault) {
        if (!signal.aborted) setFaults((before) => ({ ...before, [part]: fault }));
        end = signal.aborted ? 'stopped' : 'failed';
      } finally {
        setUploaded(null);
      }
    setProgress(end);
  };

  return {
    draft,
    dirty: Object.keys(changes).length > 0,
    progress,
    uploaded,
    faults,
    change(part, value) {
      if (part === 'picture') releasePicture(latest.current);
      // Not on what stood when the change began: a picture is decoded first, and other parts may change meanwhile.
      setChanges((before) => withChange(saved, before, part, value));
      setFaults((before) => without(before, part));
      setProgress((before) => (before === 'saving' ? before : 'none'));
    },
    discard() {
      releasePicture(changes);
      setChanges({});
      setFaults({});
      setProgress('none');
    },
    save,
    stopUpload: () => upload.current?.abort(),
    async reset() {
      await resetAll();
      await noteDesign(queries, THEME_DESIGN);
      releasePicture(changes);
      setChanges({});
      setFaults({});
      setProgress('reset');
    },
  };
}
