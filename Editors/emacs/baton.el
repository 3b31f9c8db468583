;;; baton.el --- Your other machines go on with what you edit  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: convenience

;;; Commentary:

;; With `baton-mode', the other machines of your Baton account see which file you edit, at which line, and what else is
;; open, and `baton continue' there goes on with it.  In the other direction, what you continue here opens in this Emacs.
;;
;; A helper, `baton editor --follow', does everything that needs the node.  Lines of JSON go to it and come from it, and
;; Emacs waits for nothing.  No text that came from elsewhere is ever evaluated or given to a shell.

;;; Code:

(require 'json)
(require 'seq)
(require 'subr-x)

(defgroup baton nil
  "Your other machines go on with what you edit."
  :group 'convenience)

(defcustom baton-unsaved 'tell
  "What happens to changes that are not written when another machine continues.
`tell' says there that there are some, `write' saves the buffers
before, and `send' sends the changes along, as a diff."
  :type '(choice (const tell) (const write) (const send)))

(defcustom baton-program "baton"
  "The program of Baton."
  :type 'string)

(defvar-local baton-private nil
  "Non-nil if this buffer is never told to other machines.")

(defconst baton--pause 0.2
  "The seconds between something that a person does and the report about it.")

(defconst baton--patience 60
  "The seconds after which a helper that has ended is started again.")

(defconst baton--text-most 262144
  "The most characters of a buffer that are sent along.")

(defvar baton-mode)
(defvar baton--helper nil "The process of the helper.")
(defvar baton--started nil "The time when the helper was started last.")
(defvar baton--timer nil "The timer of the next report.")
(defvar baton--sent nil "The last report.")
(defvar baton--part "" "The beginning of a line of which the rest has not arrived.")
(defvar baton--buffer nil "The buffer that was current last, of those that have files.")
(defvar baton--changes nil "The changes that another machine has sent along.")
(defvar baton--beside nil "The file beside which those changes came.")

;;;; Noting

(defun baton--file-p (buffer)
  "Whether BUFFER is that of a file which may be told."
  (let ((file (buffer-file-name buffer)))
    (and file
         (not (file-remote-p file))
         (not (buffer-local-value 'baton-private buffer)))))

(defun baton--place (buffer)
  "The line and the column of the cursor in BUFFER, from one on."
  (with-current-buffer buffer
    (save-excursion
      (when-let ((window (get-buffer-window buffer)))
        (goto-char (window-point window)))
      (let ((column (1+ (- (point) (line-beginning-position)))))
        (save-restriction
          (widen)
          (cons (line-number-at-pos) column))))))

(defun baton--state ()
  "The state of this Emacs, for the helper."
  (let ((buffer (window-buffer (selected-window)))
        (files (seq-filter #'baton--file-p (buffer-list))))
    ;; Beside help or a list, the file before goes on.
    (cond ((baton--file-p buffer) (setq baton--buffer buffer))
          ((buffer-file-name buffer) (setq baton--buffer nil)))
    `((folder . ,(directory-file-name (expand-file-name (if (file-remote-p default-directory) "~/" default-directory))))
      (open . ,(vconcat (mapcar #'buffer-file-name files)))
      (unsaved . ,(vconcat (mapcar #'buffer-file-name (seq-filter #'buffer-modified-p files))))
      ,@(when (buffer-live-p baton--buffer)
          (let ((place (baton--place baton--buffer)))
            `((file . ,(buffer-file-name baton--buffer))
              (line . ,(car place))
              (column . ,(cdr place))))))))

(defun baton--note (&rest _)
  "Report soon; what the person does until then is one report."
  (unless baton--timer
    (setq baton--timer (run-with-timer baton--pause nil #'baton--report))))

(defun baton--report ()
  "Send the state to the helper, if it is another one than last time."
  (setq baton--timer nil)
  (when baton-mode
    (let ((line (baton--encode `((at . ,(baton--state))))))
      (unless (equal line baton--sent)
        (when (baton--send line)
          (setq baton--sent line))))))

;;;; The helper

(defun baton--encode (value)
  "VALUE in one line of JSON."
  (let ((json-encoding-pretty-print nil))
    (encode-coding-string (json-encode value) 'utf-8 t)))

(defun baton--send (line)
  "Send LINE to the helper, and start it if need be; return whether it was sent."
  (when (or (process-live-p baton--helper) (baton--start))
    (condition-case nil
        (progn (process-send-string baton--helper (concat line "\n")) t)
      ;; It has just ended, of which its sentinel tells.
      (error nil))))

(defun baton--start ()
  "Start the helper; return nil if that is not possible at the moment."
  (when (and (executable-find baton-program)
             (or (null baton--started) (> (- (float-time) baton--started) baton--patience)))
    (setq baton--started (float-time)
          baton--part ""
          baton--sent nil)
    (let ((default-directory "/"))
      (setq baton--helper
            (make-process :name "baton" :command (list baton-program "editor" "--follow" "emacs")
                          :connection-type 'pipe :noquery t :coding 'binary
                          :stderr (baton--drain)
                          :filter #'baton--read)))
    (process-live-p baton--helper)))

(defun baton--drain ()
  "A process that throws away what the helper says about itself."
  (make-pipe-process :name "baton-errors" :noquery t :filter #'ignore :sentinel #'ignore))

(defun baton--read (_process text)
  "Take TEXT of the helper, of which lines may arrive in parts."
  (let ((lines (split-string (concat baton--part text) "\n")))
    (setq baton--part (car (last lines)))
    (dolist (line (butlast lines))
      (when-let ((event (baton--decode line)))
        (baton--take event)))))

(defun baton--decode (line)
  "The object that LINE is, or nil."
  (condition-case nil
      (let ((json-object-type 'alist) (json-array-type 'list) (json-null nil) (json-false nil))
        (json-read-from-string (decode-coding-string line 'utf-8)))
    (error nil)))

(defun baton--take (event)
  "Do what EVENT of the helper says."
  (pcase (alist-get 'event event)
    ("save" (baton--save (alist-get 'number event)))
    ;; In the middle of a question nothing can be opened.
    ("ask" (unless (active-minibuffer-window)
             (baton--send (baton--encode `((ready . ,(alist-get 'number event)))))))
    ("open" (baton--open event))
    ("applied" (baton--replace (alist-get 'file event) (alist-get 'text event)))
    ("tell" (message "baton: %s" (alist-get 'text event)))))

;;;; Saving

(defun baton--save (number)
  "Answer the request NUMBER with the state, and do as `baton-unsaved' says."
  (let ((changed (seq-filter (lambda (buffer) (and (baton--file-p buffer) (buffer-modified-p buffer)))
                             (buffer-list)))
        texts)
    (pcase baton-unsaved
      ('write (mapc #'baton--write changed))
      ('send (dolist (buffer changed)
               (when (< (buffer-size buffer) baton--text-most)
                 (push (cons (buffer-file-name buffer) (baton--text buffer)) texts)))))
    (baton--send (baton--encode `((saved . ,number)
                                  (at . ,(baton--state))
                                  ,@(when texts `((texts . ,(baton--table texts)))))))))

(defun baton--table (pairs)
  "The hash table of PAIRS, whose keys are never symbols."
  (let ((table (make-hash-table :test #'equal)))
    (pcase-dolist (`(,key . ,value) pairs)
      (puthash key value table))
    table))

(defun baton--write (buffer)
  "Save BUFFER, unless Emacs would ask something."
  (with-current-buffer buffer
    (when (and (verify-visited-file-modtime buffer) (file-writable-p buffer-file-name))
      (with-demoted-errors "baton: %S"
        (let ((inhibit-message t))
          (save-buffer 0))))))

(defun baton--text (buffer)
  "The text of BUFFER as it would be written."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (let ((text (buffer-substring-no-properties (point-min) (point-max))))
        (if (eq (coding-system-eol-type buffer-file-coding-system) 1)
            (replace-regexp-in-string "\n" "\r\n" text t t)
          text)))))

;;;; Opening

(defun baton--visit (file)
  "The buffer of FILE, without a question; nil if it can't be visited."
  (unless (file-remote-p file)
    (let ((enable-local-variables :safe)
          (enable-local-eval nil)
          (large-file-warning-threshold nil)
          ;; Git would start programs that a repository names, and another machine named the folder.
          (vc-handled-backends nil)
          (find-file-visit-truename nil))
      (with-demoted-errors "baton: %S"
        (find-file-noselect file t)))))

(defun baton--open (opening)
  "Show the file of OPENING at its place, and visit the others."
  (dolist (file (alist-get 'others opening))
    (baton--visit file))
  (when-let ((buffer (baton--visit (alist-get 'file opening))))
    (pop-to-buffer-same-window buffer)
    (when-let ((line (alist-get 'line opening)))
      (widen)
      (goto-char (point-min))
      (forward-line (1- line))
      (forward-char (min (1- (or (alist-get 'column opening) 1))
                         (- (line-end-position) (point))))))
  (setq baton--changes (alist-get 'changes opening)
        baton--beside (alist-get 'file opening))
  (let ((lines (remove "" (cons (or (alist-get 'text opening) "") (alist-get 'notes opening)))))
    (when baton--changes
      (push (format "changes of %s there: M-x baton-diff, M-x baton-apply"
                    (string-join (baton--changed-files) ", "))
            lines))
    (when lines
      ;; What does not fit in the echo area is shown in a window, so that no file stays unnamed.
      (display-message-or-buffer (concat "baton: " (string-join lines "\n")) "*baton message*")))
  (baton--note))

(defun baton--changed-files ()
  "The paths of the files that another machine has changes of."
  (mapcar (lambda (change) (abbreviate-file-name (alist-get 'file change))) baton--changes))

(defun baton--replace (file text)
  "Replace what FILE's buffer has by TEXT, and write nothing."
  (when-let ((buffer (baton--visit file)))
    (with-current-buffer buffer
      (if (or (buffer-modified-p) buffer-read-only)
          (message "baton: %s has changes of its own here; see M-x baton-diff"
                   (abbreviate-file-name file))
        (let ((plain (generate-new-buffer " *baton*")))
          (unwind-protect
              (progn
                (with-current-buffer plain
                  (insert (if (eq (coding-system-eol-type (buffer-local-value 'buffer-file-coding-system buffer)) 1)
                              (replace-regexp-in-string "\r\n" "\n" text t t)
                            text)))
                (replace-buffer-contents plain))
            (kill-buffer plain)))
        (pop-to-buffer-same-window buffer)))))

;;;; Commands

(defun baton--run (arguments done)
  "Run the program with ARGUMENTS, and pass what it prints to DONE."
  (let ((buffer (generate-new-buffer " *baton*"))
        (default-directory "/"))
    (make-process :name "baton-command" :command (cons baton-program arguments)
                  :connection-type 'pipe :noquery t :buffer buffer :coding 'utf-8
                  :sentinel (lambda (process _)
                              (unless (process-live-p process)
                                (let ((text (with-current-buffer buffer (string-trim (buffer-string)))))
                                  (kill-buffer buffer)
                                  (funcall done text)))))))

(defun baton--say (text)
  "Show TEXT to the person."
  (message "%s" text))

;;;###autoload
(defun baton-continue (&optional name)
  "Continue here the activity NAME of another machine, or the latest one."
  (interactive)
  (setq baton--started (and (process-live-p baton--helper) baton--started))
  (unless (baton--send (baton--encode `((continue . ,(or name t)))))
    (message "The program %s is not installed, or does not run" baton-program)))

;;;###autoload
(defun baton-pick ()
  "Choose among the files that are open on other machines, and continue one here."
  (interactive)
  (baton--run '("list" "--json")
              (lambda (text)
                (let* ((activities (alist-get 'activities (baton--decode (encode-coding-string text 'utf-8))))
                       (files (seq-filter (lambda (activity)
                                            (and (equal (alist-get 'type activity) "org.baton.file")
                                                 (not (alist-get 'here (alist-get 'device activity)))))
                                          activities)))
                  (if files
                      ;; A question is asked outside of what Emacs does for the process.
                      (run-with-timer 0 nil #'baton--choose files)
                    (message "No file is open on another machine"))))))

(defun baton--choose (files)
  "Ask which of FILES to continue."
  (let* ((choices (mapcar (lambda (activity)
                            (cons (format "%s — %s (%s)" (alist-get 'title activity)
                                          (alist-get 'name (alist-get 'device activity))
                                          (substring (alist-get 'id activity) 0 7))
                                  (alist-get 'id activity)))
                          files))
         (choice (completing-read "Continue: " choices nil t)))
    (when-let ((name (cdr (assoc choice choices))))
      (baton-continue name))))

;;;###autoload
(defun baton-status ()
  "Show the state of the node."
  (interactive)
  (baton--run '("status") #'baton--say))

;;;###autoload
(defun baton-private (value)
  "Keep this machine private if VALUE is \"on\", or share it again."
  (interactive (list (completing-read "Private: " '("on" "off") nil t)))
  (baton--run (list "private" value) #'baton--say))

(defun baton-diff ()
  "Show the changes that another machine has sent along."
  (interactive)
  (if (null baton--changes)
      (message "No other machine has sent changes")
    (with-current-buffer (get-buffer-create "*baton diff*")
      (let ((inhibit-read-only t) (enable-local-variables nil))
        (erase-buffer)
        (dolist (change baton--changes)
          (insert (alist-get 'diff change)))
        (diff-mode)
        (setq buffer-read-only t)
        (goto-char (point-min)))
      (pop-to-buffer (current-buffer)))))

(defun baton-apply ()
  "Take the changes of another machine into the buffers here, unsaved.
Ask before, if they are for more than the file that was continued."
  (interactive)
  (cond ((null baton--changes)
         (message "No other machine has sent changes"))
        ((or (and (null (cdr baton--changes))
                  (equal (alist-get 'file (car baton--changes)) baton--beside))
             (y-or-n-p (format "Take changes into %s? " (string-join (baton--changed-files) ", "))))
         (dolist (change baton--changes)
           (baton--send (baton--encode `((apply . ,(alist-get 'file change))
                                         (diff . ,(alist-get 'diff change))
                                         (beside . ,baton--beside))))))))

;;;; The mode

(defconst baton--hooks
  '(post-command-hook after-save-hook find-file-hook kill-buffer-hook window-buffer-change-functions)
  "The hooks at which something may have changed.")

(defun baton--enter ()
  "Open what `baton continue' has started this Emacs for, and report."
  (when-let ((text (getenv "BATON_OPENING")))
    ;; Programs that are started here must not take it for theirs.
    (setenv "BATON_OPENING")
    (let ((opening (baton--decode (encode-coding-string text 'utf-8))))
      (when (equal (alist-get 'process opening) (emacs-pid))
        (baton--open opening))))
  (baton--note))

;;;###autoload
(define-minor-mode baton-mode
  "Let your other machines go on with what you edit, and theirs go on here."
  :global t
  (if baton-mode
      (progn
        (setenv "BATON_EDITOR" (number-to-string (emacs-pid)))
        (dolist (hook baton--hooks) (add-hook hook #'baton--note))
        (if after-init-time (baton--enter) (add-hook 'emacs-startup-hook #'baton--enter)))
    (dolist (hook baton--hooks) (remove-hook hook #'baton--note))
    (when baton--timer (cancel-timer baton--timer))
    (when (process-live-p baton--helper) (delete-process baton--helper))
    (setq baton--timer nil baton--helper nil baton--started nil baton--sent nil)))

(provide 'baton)
;;; baton.el ends here
