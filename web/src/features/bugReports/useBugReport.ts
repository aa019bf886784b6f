/**
 * The state of a bug report: the picture, the typed text, and the progress of sending. It lives as long as the panel is
 * open.
 */
import {
  bugComment,
  type BugPriority,
  type BugReportInput,
  BUG_SUCCESS_MS,
  saveBugReport,
} from '@fieldroom/contract/bugReports';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../platform/api/index.ts';
import { formFault } from '../../platform/forms/formFault.ts';
import { circumstances } from './circumstances.ts';

/** `failed`: it could not be taken; `none`: the person deleted it. */
type Picture = { is: 'taking' | 'failed' | 'none' } | { is: 'there'; bytes: Blob; address: string };

/** Sends a report. Throws `ApiProblem`. */
async function send(priority: BugPriority, comment: string, picture: Blob | null): Promise<void> {
  const report: BugReportInput = {
    appId: 'fieldroom',
    priority,
    comment,
    noImg: picture === null,
    ...circumstances(),
  };
  const form = new FormData();
  form.set('value', JSON.stringify(report));
  if (picture) form.set('screenshot', picture, picture.type === 'image/png' ? 'page.png' : 'page.jpg');
  // A form is sent unchanged; its fields are those of the contract.
  await api.call(saveBugReport, { body: form as never });
}

/** Takes a picture when it starts, and releases its memory. */
function usePicture() {
  const [picture, setPicture] = useState<Picture>({ is: 'taking' });
  const round = useRef(0);
  const take = () => {
    round.current += 1;
    const mine = round.current;
    setPicture({ is: 'taking' });
    import('./takePicture.ts')
      .then(({ takePicture }) => takePicture())
      .then(
        (bytes) => {
          if (mine === round.current) setPicture({ is: 'there', bytes, address: URL.createObjectURL(bytes) });
        },
        () => {
          if (mine === round.current) setPicture({ is: 'failed' });
        },
      );
  };
  const remove = () => {
    round.current += 1;
    setPicture({ is: 'none' });
  };
  useEffect(() => {
    take();
    return () => {
      round.current += 1;
    };
  }, []);
  const address = picture.is === 'there' ? picture.address : null;
  useEffect(() => () => (address === null ? undefined : URL.revokeObjectURL(address)), [address]);
  return { picture, take, remove };
}

export type BugReportForm = ReturnType<typeof useBugReport>;

/** Takes a function that closes the panel after the thanks. */
export function useBugReport(onClose: () => void) {
  const { picture, take, remove } = usePicture();
  const [priority, setPriority] = useState<BugPriority | null>(null);
  const [comment, setComment] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const [state, setState] = useState<'typing' | 'sending' | 'sent'>('typing');
  const [fault, setFault] = useState<unknown>(null);
  const faults = { priority: priority === null, comment: formFault(bugComment, comment) };
  const valid = !faults.priority && faults.comment === null;

  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (state !== 'sent') return undefined;
    const timer = setTimeout(() => close.current(), BUG_SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const submit = () => {
    setSubmitted(true);
    if (priority === null || !valid || state !== 'typing' || picture.is === 'taking') return;
    setState('sending');
    setFault(null);
    send(priority, comment, picture.is === 'there' ? picture.bytes : null).then(
      () => setState('sent'),
      (refused: unknown) => {
        setFault(refused);
        setState('typing');
      },
    );
  };
  return {
    picture,
    take,
    remove,
    priority,
    setPriority,
    comment,
    setComment,
    /** Whether the priority is missing, and the key of the comment's fault; shown only after the first try. */
    faults: submitted ? faults : { priority: false, comment: null },
    maySubmit: (!submitted || valid) && state === 'typing' && picture.is !== 'taking',
    state,
    fault,
    submit,
  };
}
