/** The calls about designs, each one call of the service. */
import * as calls from '@fieldroom/contract/design';
import type { Http } from '../../access.ts';
import type { Design } from './design.service.ts';

/** Mounts the calls. */
export function designRoutes(http: Http, design: Design): void {
  http.handle(calls.allTemplates, ({ access }) => design.all(access));
  http.handle(calls.saveTemplate, ({ access, body }) => design.save(access.id, body));
  http.handle(calls.uploadTemplateImage, ({ access, file }) => design.upload(access.id, file!.bytes));
  http.handle(calls.templateImage, ({ access }) => design.image(access));
  http.handle(calls.resetDesign, ({ access }) => design.reset(access.id));
}
