import { Component, DestroyRef, inject, signal } from '@angular/core'
import { type ChatMessage, loadModel } from 'heed'

@Component({
  selector: 'app-story',
  template: `
    <p id="story" style="white-space: pre-wrap">{{ story() }}</p>
    <p>Threads: <output id="threads">{{ threads() }}</output></p>
  `,
})
export class Story {
  readonly story = signal('')
  readonly threads = signal('')

  constructor() {
    const controller = new AbortController()
    inject(DestroyRef).onDestroy(() => controller.abort())
    this.tell(controller.signal).catch(error => {
      if (!controller.signal.aborted) throw error
    })
  }

  private async tell(signal: AbortSignal) {
    const model = await loadModel(undefined, { signal })
    this.threads.set(`${model.info.threads}`)
    const content = 'Write a story about a fox and a lantern.'
    const messages: ChatMessage[] = [{ role: 'user', content }]
    for await (const event of model.chat(messages, { seed: 7, signal })) {
      if (event.type === 'text') this.story.update(story => story + event.delta)
    }
    await model.dispose()
  }
}
