'use client'

import { loadModel } from 'heed'
import { useEffect, useState } from 'react'

export default function Page() {
  const [story, setStory] = useState('')
  const [threads, setThreads] = useState()

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller

    async function tell() {
      const model = await loadModel(undefined, { signal })
      setThreads(model.info.threads)
      const options = { seed: 7, signal }
      const content = 'Write a story about a fox and a lantern.'
      const messages = [{ role: 'user', content }]
      for await (const event of model.chat(messages, options)) {
        if (event.type === 'text') setStory(story => story + event.delta)
      }
      await model.dispose()
    }

    tell().catch(error => {
      if (!signal.aborted) throw error
    })
    return () => controller.abort()
  }, [])

  return (
    <>
      <p id="story" style={{ whiteSpace: 'pre-wrap' }}>
        {story}
      </p>
      <p>
        Threads: <output id="threads">{threads}</output>
      </p>
    </>
  )
}
