import { bootstrapApplication } from '@angular/platform-browser'
import { Story } from './story'

bootstrapApplication(Story)
